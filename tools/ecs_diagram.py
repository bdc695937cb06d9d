"""The diagram of how a world stores its entities, laid out by hand: the directory, tables, and holders."""

import svg

WIDTH, HEIGHT = 1040, 690

ROW = 22                        # height of a row in a table
DIRECTORY = 20                  # left edge
RECORDS = [("0", "chunk 0, row 0", "1"), ("1", "chunk 2, row 0", "1"), ("2", "free, next 6", "4"),
           ("3", "chunk 0, row 2", "1"), ("4", "chunk 1, row 0", "1"), ("5", "chunk 0, row 1", "2"),
           ("6", "free, last", "3"), ("7", "chunk 0, row 3", "1")]
COLUMNS = (("index", 46), ("Position", 84), ("Velocity", 84))


def draw():
    """The text of every diagram by file name."""
    picture = svg.Svg(WIDTH, HEIGHT, "How a world stores its entities: directory, tables with two halves, and holders")
    draw_directory(picture)
    draw_large_table(picture)
    draw_small_table(picture)
    draw_holders(picture)
    return {"ecs-storage.svg": picture.finish()}


def draw_directory(picture):
    picture.rect(0, 8, 262, 412, "band", 10)
    picture.text(DIRECTORY, 34, "directory", "name", "start")
    picture.text(DIRECTORY, 52, "6 bytes for each index", "small", "start")
    for x, words in ((DIRECTORY + 14, "index"), (DIRECTORY + 104, "location"), (DIRECTORY + 200, "gen.")):
        picture.text(x, 84, words, "small")
    for i, (index, location, generation) in enumerate(RECORDS):
        y = 94 + i * 28
        free = location.startswith("free")
        kind = "planned" if free else "warm" if index == "5" else "card"
        picture.text(DIRECTORY + 14, y + 17, index, "small")
        picture.rect(DIRECTORY + 34, y, 142, 24, kind, 4)
        picture.text(DIRECTORY + 105, y + 17, location, "small")
        picture.rect(DIRECTORY + 178, y, 44, 24, kind, 4)
        picture.text(DIRECTORY + 200, y + 17, generation, "small")
    for i, words in enumerate(("Entity 5.2 is index 5, generation 2.", "When it is destroyed, the generation",
                               "becomes 3: 5.2 is stale for ever.", "Free indices are a list, oldest first.")):
        picture.text(DIRECTORY, 340 + i * 18, words, "small", "start")


def chunk(picture, x, y, title, rows, capacity, mark=None):
    """A chunk: version stamps, the entity index of each row, then the columns."""
    width = sum(size for _, size in COLUMNS) + 16
    picture.text(x, y - 6, title, "small", "start")
    picture.rect(x, y, width, 24 + (1 + capacity) * ROW + 10, "card", 6)
    picture.text(x + 8, y + 17, "version stamps: one a column", "small", "start")
    left = x + 6
    for name, size in COLUMNS:
        picture.text(left + size / 2, y + 24 + 15, name, "small")
        left += size + 2
    for row in range(capacity):
        left = x + 6
        for column, (_, size) in enumerate(COLUMNS):
            top = y + 24 + (row + 1) * ROW
            kind = "planned" if row >= len(rows) else "warm" if row == mark else "cool" if column == 0 else "leaf"
            picture.rect(left, top, size, ROW - 3, kind, 3)
            if column == 0 and row < len(rows):
                picture.text(left + size / 2, top + 14, rows[row], "small")
            left += size + 2
    return y + 24 + (1 + capacity) * ROW + 10


def draw_large_table(picture):
    x = 318
    picture.rect(x - 20, 8, 480, 412, "band", 10)
    picture.text(x, 34, "table: Position, Velocity", "name", "start")
    picture.text(x, 58, "active partition", "name", "start")
    picture.text(x + 134, 58, "systems iterate over it", "small", "start")
    chunk(picture, x, 92, "chunk 0: 128 KiB, full", ["0", "5", "3", "7"], 4, 1)
    picture.text(x + 246, 130, "Each column is an array,", "small", "start")
    picture.text(x + 246, 148, "aligned to 64 bytes. All", "small", "start")
    picture.text(x + 246, 166, "chunks are full but the", "small", "start")
    picture.text(x + 246, 184, "last: a row that leaves is", "small", "start")
    picture.text(x + 246, 202, "replaced by the last row.", "small", "start")
    picture.text(x + 246, 238, "More chunks follow here.", "small", "start")
    picture.text(x, 266, "inactive partition", "name", "start")
    picture.text(x + 146, 266, "separate, so skipping it costs nothing", "small", "start")
    chunk(picture, x, 300, "chunk 1: small, grows from 256 bytes", ["4"], 2)
    # From the record of entity 5 to its row.
    y = 94 + 5 * 28 + 12
    row = 92 + 24 + 2 * ROW + 10
    picture.path(f"M{DIRECTORY + 222} {y}L{x - 34} {y}L{x - 34} {row}L{x - 2} {row}")
    picture.head(x + 5, row, 1, 0)


def draw_small_table(picture):
    x = 824
    picture.rect(x - 12, 8, 228, 412, "band", 10)
    picture.text(x + 4, 34, "table: Position", "name", "start")
    picture.text(x + 4, 58, "active partition", "name", "start")
    picture.text(x + 4, 86, "chunk 2: 256 bytes", "small", "start")
    picture.rect(x, 92, 150, 24 + 3 * ROW + 10, "card", 6)
    picture.text(x + 8, 109, "version stamps", "small", "start")
    for column, (name, size) in enumerate(COLUMNS[:2]):
        left = x + 6 + column * 48
        picture.text(left + size / 2, 131, name, "small")
        for row in range(2):
            kind = "planned" if row else "cool" if column == 0 else "leaf"
            picture.rect(left, 116 + (row + 1) * ROW, size, ROW - 3, kind, 3)
    picture.text(x + 6 + 23, 152, "1", "small")
    # Edges between the two tables.
    picture.arrow(778, 250, 812, 250)
    picture.head(778, 250, -1, 0)
    for i, words in enumerate(("An edge, computed once:", "the table without", "Velocity, and with it;",
                               "which columns to copy.", "", "A new set of components", "is a new table. Queries",
                               "that match add it to", "their lists once.")):
        picture.text(x + 4, 230 + i * 18, words, "small", "start")


def draw_holders(picture):
    y = 432
    picture.rect(0, y, WIDTH, 250, "band", 10)
    picture.text(20, y + 26, "outside of tables", "name", "start")
    picture.text(160, y + 26, "one holder for each such component; adding and removing moves nothing", "small", "start")
    holders = (("sparse", ("A dense list of entities", "and values, and by index", "the row in the list.",
                           "Fast to add, remove", "and iterate over.")),
               ("array", ("By entity index, with the", "generation beside it.", "The fastest look-up;",
                          "takes memory for all", "entities of the world.")),
               ("map", ("A hash map by entity.", "Least memory for", "components that few", "entities have.")),
               ("tag", ("One bit for each index.", "(A tag can be in tables", "too: then its entities",
                        "are adjacent.)")),
               ("global", ("One value for the whole", "world: a term like others,", "the same for all rows.")),
               ("user", ("A holder of the game,", "by a small interface:", "filo/holder.h.")))
    for i, (name, words) in enumerate(holders):
        x = 20 + i * 170
        picture.text(x, y + 58, name, "name", "start")
        draw_holder(picture, name, x, y + 70)
        for line, text in enumerate(words):
            picture.text(x, y + 156 + line * 18, text, "small", "start")


def cells(picture, x, y, kinds, width=18, height=18):
    for i, kind in enumerate(kinds):
        picture.rect(x + i * (width + 2), y, width, height, kind, 3)


def draw_holder(picture, name, x, y):
    used, free = "leaf", "planned"
    if name == "sparse":
        cells(picture, x, y, [free, "cool", free, "cool", free, "cool", free])
        cells(picture, x, y + 44, [used, used, used])
        for start, end in ((1, 0), (3, 1), (5, 2)):
            picture.path(f"M{x + 9 + start * 20} {y + 18}L{x + 9 + end * 20} {y + 42}")
    elif name == "array":
        cells(picture, x, y + 20, [free, used, free, used, free, used, free])
        cells(picture, x, y + 42, [free, "cool", free, "cool", free, "cool", free], 18, 10)
    elif name == "map":
        for row, kind in enumerate((free, used, free)):
            picture.rect(x, y + 4 + row * 20, 40, 18, "cool" if kind == used else free, 3)
            picture.rect(x + 42, y + 4 + row * 20, 60, 18, kind, 3)
    elif name == "tag":
        cells(picture, x, y + 24, [used if i in (1, 2, 7, 9) else free for i in range(11)], 10, 18)
    elif name == "global":
        picture.rect(x, y + 18, 90, 30, used, 4)
    else:
        picture.rect(x, y + 10, 110, 46, "planned", 6)
        picture.text(x + 55, y + 37, "?", "name")
