// Tracks: notes as text, each of which becomes a tone for each layer of its instrument.
//
// A track is a list of steps of equal length: "c4 - e4 . g4". A letter, with # or b, and a number are a note (a4 is 440
// Hz), "-" makes the note before one step longer, and "." is a step of silence. Bars (|) are only for readers.

#include "audio/audio.h"
#include "audio/synth/synth.h"

typedef struct Track {
    uint32_t instrument;
    float step; // beats
    float gain, pan, transpose;
    float start; // beats
    uint32_t repeat;
    FiloJsonToken notes;
} Track;

// Semitones above c0; negative if the word is no note.
static int note_number(FiloString word) {
    static const int semitones[] = { 9, 11, 0, 2, 4, 5, 7 }; // a to g
    if (word.length < 2 || word.data[0] < 'a' || word.data[0] > 'g') return -1;
    int number = semitones[word.data[0] - 'a'];
    size_t at = 1;
    if (word.data[at] == '#' || word.data[at] == 'b') number += word.data[at++] == '#' ? 1 : -1;
    if (at + 1 != word.length || word.data[at] < '0' || word.data[at] > '9') return -1;
    number += 12 * (word.data[at] - '0');
    return number < 0 ? -1 : number;
}

static FiloResult add_note(AudioSynthReader *reader, const Track *track, int note, float start,
                           float seconds) {
    AudioSynth *synth = reader->synth;
    const AudioSynthInstrument *instrument = &reader->instruments[track->instrument];
    float frequency = 440 * filo_exp2(((float)(note - 57) + track->transpose) / 12);
    for (uint32_t i = instrument->first; i < instrument->first + instrument->count; i++) {
        const AudioSynthLayer *layer = &synth->layers.items[i];
        AudioSynthTone tone = { .layer = i,
                                .start = start + layer->start,
                                .seconds = seconds,
                                .frequency = frequency,
                                .gain = track->gain,
                                .pan = filo_clamp(track->pan + layer->pan, -1, 1) };
        if (synth->tones.count == AUDIO_SYNTH_TONES)
            return filo_error(FILO_ERROR_LIMIT, "%s: has more than %d notes", reader->json.source,
                              AUDIO_SYNTH_TONES);
        if (!filo_array_push(&synth->tones, tone))
            return filo_error(FILO_ERROR_MEMORY, "%s: no memory", reader->json.source);
    }
    return filo_ok();
}

// One round of the notes, from `step` on; `step` is then the number of the next step.
static FiloResult add_notes(AudioSynthReader *reader, const Track *track, FiloString text, uint32_t *step) {
    const float seconds = track->step * 60 / reader->tempo, offset = track->start * 60 / reader->tempo;
    FiloString rest = filo_string_trim(text);
    int held = -1;
    uint32_t since = 0;
    FiloResult r = filo_ok();
    while (rest.length > 0 && r.code == FILO_OK) {
        FiloString word;
        filo_string_cut(rest, FILO_STRING(" "), &word, &rest);
        rest = filo_string_trim(rest);
        if (filo_string_equal(word, FILO_STRING("|"))) continue;
        bool hold = filo_string_equal(word, FILO_STRING("-")),
             silent = filo_string_equal(word, FILO_STRING("."));
        int note = hold || silent ? -1 : note_number(word);
        if (!hold && !silent && note < 0)
            return filo_json_error_at(&reader->json, track->notes,
                                      "\"%.*s\" is no note: write c4, f#3, bb2, \".\" or \"-\"",
                                      (int)FILO_MIN(word.length, 16), word.data);
        if (!hold && held >= 0)
            r = add_note(reader, track, held, offset + (float)since * seconds,
                         (float)(*step - since) * seconds);
        if (!hold) {
            held = note;
            since = *step;
        }
        ++*step;
    }
    if (held >= 0 && r.code == FILO_OK)
        r = add_note(reader, track, held, offset + (float)since * seconds, (float)(*step - since) * seconds);
    return r;
}

static FiloResult find_instrument(AudioSynthReader *reader, uint32_t *index) {
    FiloJsonToken token;
    FiloResult r = audio_synth_expect(reader, FILO_JSON_STRING, "the instrument of a track", &token);
    if (r.code != FILO_OK) return r;
    for (uint32_t i = 0; i < reader->instrument_count; i++)
        if (filo_json_equal(token, reader->instruments[i].name)) {
            *index = i;
            return r;
        }
    char text[64];
    filo_json_as_text(token, text, sizeof text);
    return filo_json_error_at(&reader->json, token, "there is no instrument \"%s\" before this", text);
}

static FiloResult read_member(AudioSynthReader *reader, FiloJsonToken key, Track *track) {
    if (filo_json_equal(key, "instrument")) return find_instrument(reader, &track->instrument);
    if (filo_json_equal(key, "step")) return audio_synth_number(reader, "step", 0.01, 64, &track->step);
    if (filo_json_equal(key, "gain")) return audio_synth_number(reader, "gain", -120, 24, &track->gain);
    if (filo_json_equal(key, "pan")) return audio_synth_number(reader, "pan", -1, 1, &track->pan);
    if (filo_json_equal(key, "start")) return audio_synth_number(reader, "start", 0, 1000, &track->start);
    if (filo_json_equal(key, "transpose"))
        return audio_synth_number(reader, "transpose", -48, 48, &track->transpose);
    if (filo_json_equal(key, "notes"))
        return audio_synth_expect(reader, FILO_JSON_STRING, "\"notes\"", &track->notes);
    if (filo_json_equal(key, "repeat")) {
        float times = 1;
        FiloResult r = audio_synth_number(reader, "repeat", 1, 1000, &times);
        track->repeat = (uint32_t)times;
        return r;
    }
    char text[64];
    filo_json_as_text(key, text, sizeof text);
    return filo_json_error_at(&reader->json, key, "a track has no \"%s\"", text);
}

static FiloResult read_track(AudioSynthReader *reader, FiloJsonToken begin) {
    Track track = { .instrument = UINT32_MAX, .step = 0.5f, .repeat = 1 };
    FiloJsonToken token;
    FiloResult r = filo_ok();
    while (r.code == FILO_OK && (token = filo_json_next(&reader->json)).kind == FILO_JSON_KEY)
        r = read_member(reader, token, &track);
    if (r.code != FILO_OK) return r;
    if (token.kind == FILO_JSON_ERROR) return reader->json.error;
    if (track.instrument == UINT32_MAX || track.notes.text == NULL)
        return filo_json_error_at(&reader->json, begin, "a track has an \"instrument\" and \"notes\"");
    if (track.notes.escaped)
        return filo_json_error_at(&reader->json, track.notes, "\"notes\" has no escapes");
    FiloString text = filo_string_from(track.notes.text, track.notes.length);
    uint32_t step = 0;
    for (uint32_t i = 0; i < track.repeat && r.code == FILO_OK; i++) {
        uint32_t before = step;
        r = add_notes(reader, &track, text, &step);
        if (step == before) break; // it has no notes
        if ((float)step * track.step * 60 / reader->tempo > 2 * AUDIO_SYNTH_SECONDS_MAX)
            return filo_error(FILO_ERROR_LIMIT, "%s: lasts longer than %d seconds", reader->json.source,
                              AUDIO_SYNTH_SECONDS_MAX);
    }
    return r;
}

FiloResult audio_synth_read_tracks(AudioSynthReader *reader) {
    FiloJsonToken token;
    FiloResult r = audio_synth_expect(reader, FILO_JSON_ARRAY_BEGIN, "\"tracks\"", &token);
    while (r.code == FILO_OK && (token = filo_json_next(&reader->json)).kind == FILO_JSON_OBJECT_BEGIN)
        r = read_track(reader, token);
    if (r.code != FILO_OK) return r;
    if (token.kind == FILO_JSON_ERROR) return reader->json.error;
    if (token.kind == FILO_JSON_ARRAY_END) return r;
    return filo_json_error_at(&reader->json, token, "a track is an object, not %s",
                              filo_json_kind_name(token.kind));
}
