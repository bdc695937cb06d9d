"""The diagrams of the job system, laid out by hand: queues and stealing, falling asleep, and a frame by thread."""

import svg

WIDTH = 1040


def draw():
    """The text of every diagram by file name."""
    return {"jobs-queues.svg": draw_queues(), "jobs-sleeping.svg": draw_sleeping(), "jobs-frame.svg": draw_frame()}


def box(picture, x, y, width, height, kind, name, what=None):
    picture.rect(x, y, width, height, kind)
    if what:
        picture.text(x + width / 2, y + height / 2 - 3, name, "name")
        picture.text(x + width / 2, y + height / 2 + 14, what, "small")
    else:
        picture.text(x + width / 2, y + height / 2 + 5, name, "name")


# ---- Queues and stealing ----

CELL, ROW, FIRST_ROW = 24, 92, 64
PINNED, HIGH, NORMAL, LOW, RUNS = 130, 280, 420, 650, 880


def draw_queues():
    picture = svg.Svg(WIDTH, 470, "The queues of three workers, and the order in which workers take from them")
    for x, words in ((PINNED, "1  pinned to it"), (HIGH, "2  own: high"), (NORMAL, "own: normal"), (LOW, "own: low"),
                     (RUNS, "runs")):
        picture.text(x, 40, words, "small", "start")
    for row, (name, what, pinned, high, normal, low) in enumerate((
            ("worker 0", "main", 2, 0, 5, 1), ("worker 1", "", 0, 1, 4, 0), ("worker 2", "has nothing", 0, 0, 0, 0))):
        y = FIRST_ROW + row * ROW
        picture.rect(0, y - 14, WIDTH, ROW - 12, "band", 10)
        picture.text(16, y + 22, name, "name", "start")
        picture.text(16, y + 40, what, "small", "start")
        queue(picture, PINNED, y + 12, 4, pinned, "cool")
        queue(picture, HIGH, y + 12, 4, high, "warm")
        queue(picture, NORMAL, y + 12, 7, normal, "leaf")
        queue(picture, LOW, y + 12, 4, low, "card")
        picture.rect(RUNS, y + 6, 136, 40, "leaf")
    draw_own(picture)
    draw_theft(picture)
    draw_inbox(picture)
    return picture.finish()


def queue(picture, x, y, capacity, count, kind):
    """A row of jobs, the oldest at the left; dashed where it is empty."""
    picture.rect(x - 4, y - 4, capacity * CELL + 8, CELL + 12, "planned", 6)
    for i in range(count):
        picture.rect(x + i * CELL, y + 2, CELL - 4, CELL, kind, 4)


def draw_own(picture):
    y = FIRST_ROW
    x = NORMAL + 4 * CELL + 10
    picture.path(f"M{x} {y + 14}L{x} {y - 2}L{RUNS + 40} {y - 2}L{RUNS + 40} {y}")
    picture.head(RUNS + 40, y + 6, 0, 1)
    picture.text(x + 8, y + 62, "takes its newest job: the data is still in the cache", "small", "start")
    picture.text(RUNS + 68, y + 31, "own job", "name")


def draw_theft(picture):
    y = FIRST_ROW + ROW
    picture.text(RUNS + 68, y + 31, "own job", "name")
    below = y + ROW
    x = NORMAL + 10
    picture.path(f"M{x} {y + 38}L{x} {y + 72}L{RUNS + 40} {y + 72}L{RUNS + 40} {below}")
    picture.head(RUNS + 40, below + 6, 0, 1)
    picture.text(x + 10, y + 66, "4  steals the oldest job: often the largest", "small", "start")
    picture.text(RUNS + 68, below + 31, "stolen job", "name")


def draw_inbox(picture):
    y = FIRST_ROW + 3 * ROW + 4
    picture.rect(0, y, WIDTH, 62, "band", 10)
    picture.text(16, y + 36, "inbox", "name", "start")
    queue(picture, PINNED, y + 18, 10, 3, "cool")
    picture.text(PINNED + 10 * CELL + 20, y + 28, "3  jobs from foreign threads and from requests:", "small", "start")
    picture.text(PINNED + 10 * CELL + 20, y + 44, "any worker takes the oldest", "small", "start")
    picture.text(16, y + 94, "The numbers are the order in which a worker searches. Left is old, right is new.", "small",
                 "start")


# ---- Falling asleep ----

LEFT, RIGHT, STEP_WIDTH = 40, 640, 360


def draw_sleeping():
    picture = svg.Svg(WIDTH, 480, "How a worker falls asleep without missing work")
    picture.rect(0, 8, 430, 464, "band", 10)
    picture.rect(610, 8, 430, 464, "band", 10)
    picture.text(LEFT, 40, "a worker that found nothing for 12 µs", "name", "start")
    picture.text(RIGHT, 40, "a thread that queues a job", "name", "start")
    left = (("cool", "announces that it sleeps", "its state, and the number of sleepers"),
            ("warm", "makes all threads pass a barrier", "one system call, membarrier; rare"),
            ("cool", "reads every queue again", "if one has a job: stays awake"),
            ("card", "sleeps", "until its state changes; costs nothing"))
    for i, (kind, name, what) in enumerate(left):
        step(picture, LEFT, i, kind, name, what, i < 3)
    right = ((0, "leaf", "stores the job in its queue", "a store"),
             (2, "leaf", "reads the number of sleepers", "a load; mostly 0, and nothing more to do"),
             (3, "warm", "wakes one of them", "changes its state first"))
    for i, kind, name, what in right:
        step(picture, RIGHT, i, kind, name, what, False)
    picture.arrow(RIGHT + 180, 124, RIGHT + 180, 260)
    picture.arrow(RIGHT + 180, 324, RIGHT + 180, 360)
    picture.text(RIGHT + 190, 346, "not 0", "small", "start")
    picture.arrow(RIGHT, 392, LEFT + STEP_WIDTH, 392)
    # What each thread writes first is what the other reads last.
    picture.path(f"M{LEFT + STEP_WIDTH} 92L448 92L448 280L{RIGHT - 8} 280", "link dashed")
    picture.head(RIGHT, 280, 1, 0)
    picture.path(f"M{RIGHT} 104L592 104L592 304L{LEFT + STEP_WIDTH + 8} 304", "link dashed")
    picture.head(LEFT + STEP_WIDTH, 304, -1, 0)
    for i, words in enumerate(("Each writes first", "and reads last, so at", "least one of them",
                               "sees the other.")):
        picture.text(520, 142 + i * 18, words, "small")
    picture.text(520, 384, "wakes", "small")
    picture.text(LEFT, 458, "woken: searches again. Asleep for 10 s: its thread ends.", "small", "start")
    return picture.finish()


def step(picture, x, row, kind, name, what, has_next):
    y = 60 + row * 100
    box(picture, x, y, STEP_WIDTH, 64, kind, name, what)
    if has_next:
        picture.arrow(x + STEP_WIDTH / 2, y + 64, x + STEP_WIDTH / 2, y + 100)


# ---- A frame ----

LANE = 88


def draw_frame():
    picture = svg.Svg(WIDTH, 416, "What each thread does during a frame")
    for i, (name, what) in enumerate((("main", "worker 0"), ("worker 1", ""), ("worker 2", ""),
                                      ("async", "blocking work"))):
        picture.rect(0, 8 + i * LANE, WIDTH, LANE - 10, "band", 10)
        picture.text(16, 42 + i * LANE, name, "name", "start")
        picture.text(16, 60 + i * LANE, what, "small", "start")
    draw_main_lane(picture)
    draw_worker_lanes(picture)
    draw_async_lane(picture)
    picture.text(120, 376, "time →", "small", "start")
    for x, kind, words in ((220, "leaf", "jobs, its own or others'"), (430, "cool", "the thread's own code"),
                           (620, "warm", "searches for work, up to 12 µs"), (840, "planned", "asleep")):
        picture.rect(x, 364, 16, 16, kind, 4)
        picture.text(x + 24, 377, words, "small", "start")
    picture.text(120, 404, "A worker that waits runs any job. Only main runs code of its own between jobs.",
                 "small", "start")
    return picture.finish()


def bar(picture, lane, x, width, kind, name="", what=None):
    y = 18 + lane * LANE
    if name:
        box(picture, x, y, width, 58, kind, name, what)
    else:
        picture.rect(x, y, width, 58, kind)


def draw_main_lane(picture):
    bar(picture, 0, 120, 80, "cool", "input")
    bar(picture, 0, 206, 64, "cool", "starts", "a loop")
    bar(picture, 0, 274, 130, "leaf", "works", "filo_jobs_wait")
    for x, width in ((407, 60), (470, 90), (563, 50)):
        bar(picture, 0, x, width, "leaf")
    bar(picture, 0, 620, 106, "cool", "draws")
    bar(picture, 0, 730, 110, "leaf", "pinned", "run_pinned")
    bar(picture, 0, 844, 180, "cool", "presents", "waits for the screen")


def draw_worker_lanes(picture):
    for lane, parts in ((1, ((290, 130), (423, 80), (506, 96))), (2, ((306, 70), (379, 150), (532, 60)))):
        bar(picture, lane, 120, parts[0][0] - 124, "planned")
        for x, width in parts:
            bar(picture, lane, x, width, "leaf")
    bar(picture, 1, 606, 44, "warm")
    bar(picture, 1, 654, 370, "planned")
    bar(picture, 2, 596, 44, "warm")
    bar(picture, 2, 644, 38, "planned")
    bar(picture, 2, 686, 130, "leaf", "ended", "counts a file")
    bar(picture, 2, 820, 44, "warm")
    bar(picture, 2, 868, 156, "planned")
    # A worker that splits its range wakes one more.
    for lane, x in ((0, 264), (1, 298)):
        picture.arrow(x, 18 + lane * LANE + 58, x, 18 + (lane + 1) * LANE)
        picture.text(x - 8, 18 + (lane + 1) * LANE - 5, "wakes", "small", "end")


def draw_async_lane(picture):
    bar(picture, 3, 400, 262, "planned", "reads a file", "asleep in the kernel")
    picture.path(f"M440 {18 + LANE * 2 + 58}L440 {18 + LANE * 3 - 6}")
    picture.head(440, 18 + LANE * 3, 0, 1)
    picture.text(450, 18 + LANE * 3 - 5, "requests", "small", "start")
    picture.path(f"M662 {18 + LANE * 3 + 29}L720 {18 + LANE * 3 + 29}L720 {18 + LANE * 2 + 64}")
    picture.head(720, 18 + LANE * 2 + 58, 0, -1)
    picture.text(730, 18 + LANE * 3 + 24, "its end is a job, on a worker or on main", "small", "start")
