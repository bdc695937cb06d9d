// Scripts without spaces between words and without a dictionary here: lines end between syllables.

#include "text/fixture.h"

// A text with '|' where a line may begin, and '-' where it begins only in a word that is longer than a line.
static const char *syllables(FiloTypesetter *setter, const char *text) {
    static char marked[1024];
    filo_typesetter_update(setter);
    (void)lay_out(setter, PLAIN(.width = 1000), text);
    const TextWork *work = &setter->work;
    size_t length = 0;
    for (size_t i = 0; i < work->characters.count; i++) {
        uint8_t marks = work->marks.items[i];
        if ((marks & TEXT_AT_BREAK) != 0)
            marked[length++] = '|';
        else if (i > 0 && (marks & (TEXT_AT_LETTER | TEXT_INSIDE)) == TEXT_AT_LETTER)
            marked[length++] = '-';
        size_t start = work->bytes.items[i], end = work->bytes.items[i + 1];
        assert_true(length + end - start + 2 < sizeof marked);
        memcpy(marked + length, text + start, end - start);
        length += end - start;
    }
    marked[length] = '\0';
    return marked;
}

#define assert_syllables(setter, marked) check_syllables((setter), (marked))
static void check_syllables(FiloTypesetter *setter, const char *marked) {
    char text[512];
    size_t length = 0;
    for (const char *c = marked; *c != '\0'; c++)
        if (*c != '|' && *c != '-') text[length++] = *c;
    text[length] = '\0';
    assert_string_equal(syllables(setter, text), marked);
}

FILO_TEST(lao_ends_lines_between_syllables) {
    FiloTypesetter *setter = open_setter();
    assert_syllables(setter, "ຂ້ອຍ|ຢາກ|ກິນ|ເຂົ້າ|ໜຽວ");
    assert_syllables(setter, "ປະ|ເທດ|ລາວ");
    assert_syllables(setter, "ກະ|ຊວງ|ສຶກ|ສາ");
    assert_syllables(setter, "ໂຮງ|ຮຽນ");
    assert_syllables(setter, "ໄປ|ຫາ|ໝູ່");
    assert_syllables(setter, "ຄົ້ນ|ຄວ້າ");
    assert_syllables(setter, "ກິນ|ອາ|ຫານ");
    assert_syllables(setter, "ເມືອງ|ໃຫຍ່");
    assert_syllables(setter, "ແກວ່ງ|ໄຫວ້");
    assert_syllables(setter, "ພຣະ|ເຈົ້າ");
    assert_syllables(setter, "ກິນ|ນອນ");
    filo_typesetter_destroy(setter);
}

FILO_TEST(burmese_ends_lines_between_syllables) {
    FiloTypesetter *setter = open_setter();
    assert_syllables(setter, "မြန်|မာ|နိုင်|ငံ");
    assert_syllables(setter, "ကျွန်|တော်|တို့|သည်");
    assert_syllables(setter, "မင်္ဂ|လာ|ပါ"); // a consonant above another
    assert_syllables(setter, "သတ္တ|ဝါ");    // and one below
    assert_syllables(setter, "ခွန့်|အား");    // a dot before the asat
    assert_syllables(setter, "ပြဿ|နာ");
    filo_typesetter_destroy(setter);
}

// Khmer has no sign for the end of a syllable: it is divided only if a word is longer than a line, and never inside of a
// stack.
FILO_TEST(khmer_is_divided_only_where_it_must) {
    FiloTypesetter *setter = open_setter();
    assert_syllables(setter, "ភា-សា-ខ្មែរ");
    assert_syllables(setter, "បាន-ទៅ");
    assert_syllables(setter, "ស្រ-លាញ់");
    filo_typesetter_destroy(setter);
}

FILO_TEST(zero_width_spaces_are_preferred_to_syllables) {
    FiloTypesetter *setter = open_setter();
    assert_string_equal(syllables(setter, "ປະເທດ\xE2\x80\x8Bລາວ"), "ປະ-ເທດ-\xE2\x80\x8B|ລາວ");
    assert_string_equal(syllables(setter, "မြန်မာ\xE2\x80\x8Bနိုင်ငံ"), "မြန်-မာ-\xE2\x80\x8B|နိုင်-ငံ");
    filo_typesetter_destroy(setter);
}

FILO_TEST(conjuncts_and_leading_vowels_are_not_torn_apart) {
    FiloTypesetter *setter = open_setter();
    assert_syllables(setter, "क्ष-त्रि-य");
    assert_syllables(setter, "a-b-é");
    filo_typesetter_destroy(setter);
}

// Every line fits, and begins where a syllable does.
static void wrap(const char *file, const char *text) {
    FiloTypesetter *setter = open_setter_with(file);
    for (float width = 60; width < 300; width += 20) {
        size_t count;
        const FiloTextLayout *layout = lay_out(setter, PLAIN(.width = width), text);
        uint8_t *marks = setter->work.marks.items;
        const uint32_t *bytes = setter->work.bytes.items;
        const FiloTextLine *lines = filo_text_lines(layout, &count);
        assert_true(count > 1);
        for (size_t i = 0; i < count; i++) {
            assert_true(lines[i].width <= width + 0.1f);
            uint32_t character = 0;
            while (bytes[character] < lines[i].first_byte) character++;
            assert_int_equal(marks[character] & TEXT_INSIDE, 0);
        }
    }
    filo_typesetter_destroy(setter);
}
FILO_TEST(a_paragraph_of_lao_fits) {
    wrap("NotoSansLao-Regular.ttf", "ຂ້ອຍຢາກກິນເຂົ້າໜຽວກັບປີ້ງໄກ່ແລະຕຳໝາກຫຸ່ງຢູ່ຮ້ານອາຫານໃນເມືອງຫລວງພະບາງ");
}
FILO_TEST(a_paragraph_of_burmese_fits) {
    wrap("NotoSansMyanmar-Regular.ttf", "မြန်မာနိုင်ငံသည်အရှေ့တောင်အာရှတွင်ဧရိယာအကျယ်ဆုံးနိုင်ငံဖြစ်သည်");
}
FILO_TEST(a_paragraph_of_khmer_fits) {
    wrap("NotoSansKhmer-Regular.ttf", "ខ្ញុំស្រលាញ់ភាសាខ្មែរណាស់ហើយខ្ញុំចង់ទៅលេងប្រាសាទអង្គរវត្តម្ដងទៀត");
}
FILO_TEST(an_ellipsis_does_not_cut_a_stack) {
    FiloTypesetter *setter = open_setter_with("NotoSansKhmer-Regular.ttf");
    for (float width = 30; width < 120; width += 3) {
        FiloTextStyle style = { .width = width, .max_lines = 1, .wrap = FILO_TEXT_WRAP_NEVER };
        size_t count;
        const FiloTextLayout *layout = lay_out(setter, style, "ប្រាសាទអង្គរវត្តម្ដងទៀត");
        assert_true(filo_text_is_cut(layout));
        const FiloTextLine *lines = filo_text_lines(layout, &count);
        uint32_t character = 0;
        while (setter->work.bytes.items[character] < lines[0].end_byte) character++;
        if (character > 4) assert_int_equal(setter->work.marks.items[character] & TEXT_INSIDE, 0);
    }
    filo_typesetter_destroy(setter);
}
