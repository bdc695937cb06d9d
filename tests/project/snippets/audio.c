// The frame of the code in docs/audio.md: its program, and audio for the block about buses.

// outside

int main(int argc, char **argv) {
    FiloJobs *jobs = NULL;
    FiloAssets *assets = NULL;
    FiloAudio *audio = NULL;
    if (filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = 1 }).code != FILO_OK) return 1;
    bool ok = filo_assets_create(&assets, &(FiloAssetsDesc){ .jobs = jobs, .folder = "." }).code == FILO_OK;
    const FiloAudioDesc desc = { .assets = assets, .output = FILO_AUDIO_NONE };
    ok = ok && filo_audio_create(&audio, &desc).code == FILO_OK;
    if (ok) {
        // inside
        filo_audio_step(audio, 1.0 / 60);
    }
    filo_audio_destroy(audio);
    filo_assets_destroy(assets);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    return ok ? page_main(argc, argv) : 1;
}
