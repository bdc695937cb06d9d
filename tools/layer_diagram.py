"""The diagram of layers: one row a layer, the lowest at the bottom, arrows to what a module builds on.

The layout is the usual one for layered graphs (Sugiyama, Tagawa and Toda, 1981): an arrow that passes rows
gets a via in each of them; sweeps by barycentre put every row into an order with few crossings; positions
follow as near to the neighbours as the order allows. Arrows to the same module share their vias, so that they
run together on the way. Left out, to keep the picture readable: arrows to base, which all have; arrows that
follow from others; and those of a module that includes everything, which is drawn as a bar.
"""

from dataclasses import dataclass, field

import layers
import svg

LEFT, RIGHT, TOP = 84, 20, 46
BOX_HEIGHT, ROW = 40, 84
GAP, VIA_WIDTH = 34, 10
SWEEPS = 30


@dataclass
class Node:
    name: str
    layer: int
    width: int
    module: object = None  # None: a via
    above: list = field(default_factory=list)
    below: list = field(default_factory=list)
    x: float = 0.0  # of the centre


def draw(modules):
    bars = {name for name in modules if is_bar(modules, name)}
    rows = make_rows(modules, bars)
    order_rows(rows)
    width = LEFT + place_rows(rows) + RIGHT
    highest = max(module.layer for module in modules.values())
    picture = svg.Svg(width, TOP + (highest + 1) * ROW + 8, "The modules of Filo by layer")
    top_of = lambda layer: TOP + (highest - layer) * ROW + (ROW - BOX_HEIGHT) / 2
    draw_legend(picture)
    for layer in range(highest + 1):
        picture.rect(0, TOP + (highest - layer) * ROW + 5, width, ROW - 10, "band", 10)
        picture.text(16, top_of(layer) + BOX_HEIGHT / 2 + 4, f"layer {layer}", "small", "start")
    for row in rows:
        for node in row:
            draw_links(picture, node, top_of)
    for row in rows:
        for node in row:
            if node.module:
                draw_module(picture, node.module, LEFT + node.x - node.width / 2, top_of(node.layer), node.width)
    for name in sorted(bars):
        module = modules[name]
        words = f"{name}, on everything" if module.requires else f"{name}, under everything"
        draw_module(picture, module, LEFT, top_of(module.layer), width - LEFT - RIGHT, words)
    return picture.finish()


def is_bar(modules, name):
    """base, and a module alone in its layer that includes everything below."""
    module = modules[name]
    below = set(layers.all_below(modules, module))
    alone = sum(m.layer == module.layer for m in modules.values()) == 1
    return alone and (name == "base" or (below and set(module.requires) == below))


# ---- The graph ----------------------------------------------------------------------------------------


def make_rows(modules, bars):
    """The nodes by layer, vias included, linked with their neighbours in the rows above and below."""
    highest = max(module.layer for module in modules.values())
    rows = [[] for _ in range(highest + 1)]
    nodes, vias = {}, {}
    for module in modules.values():
        if module.name not in bars:
            nodes[module.name] = Node(module.name, module.layer, 36 + 9 * len(module.name), module)
            rows[module.layer].append(nodes[module.name])

    def link(upper, lower):
        if lower not in upper.below:
            upper.below.append(lower)
            lower.above.append(upper)

    for node in list(nodes.values()):
        for name in direct_requirements(modules, node.name):
            if name not in nodes:
                continue
            upper = node
            for layer in range(node.layer - 1, nodes[name].layer, -1):
                if (name, layer) not in vias:
                    vias[name, layer] = Node(name, layer, VIA_WIDTH)
                    rows[layer].append(vias[name, layer])
                link(upper, vias[name, layer])
                upper = vias[name, layer]
            link(upper, nodes[name])
    return rows


def direct_requirements(modules, name):
    """What a module requires, without what follows from its other requirements."""
    requires = [r for r in modules[name].requires if r in modules]
    return [r for r in requires if not any(r in reachable(modules, other) for other in requires if other != r)]


def reachable(modules, name):
    found, todo = set(), [name]
    while todo:
        for required in modules[todo.pop()].requires:
            if required in modules and required not in found:
                found.add(required)
                todo.append(required)
    return found


# ---- Order inside the rows ----------------------------------------------------------------------------


def order_rows(rows):
    best, best_cost = [list(row) for row in rows], cost(rows)
    for sweep in range(SWEEPS):
        upwards = sweep % 2 == 0
        for row in rows if upwards else reversed(rows):
            place = {id(node): i for other in rows for i, node in enumerate(other)}
            here = {id(node): i for i, node in enumerate(row)}

            def barycentre(node):
                neighbours = node.below if upwards else node.above
                if not neighbours:
                    neighbours = node.above if upwards else node.below
                if not neighbours:
                    return here[id(node)]
                return sum(place[id(n)] for n in neighbours) / len(neighbours)

            row.sort(key=lambda node: (barycentre(node), here[id(node)]))
        swap_neighbours(rows)
        if cost(rows) < best_cost:
            best, best_cost = [list(row) for row in rows], cost(rows)
    for row, order in zip(rows, best):
        row[:] = order


def swap_neighbours(rows):
    """Swaps two that stand side by side for as long as that saves crossings."""
    improved = True
    while improved:
        improved = False
        for row in rows:
            for i in range(len(row) - 1):
                before = cost(rows)
                row[i], row[i + 1] = row[i + 1], row[i]
                if cost(rows) < before:
                    improved = True
                else:
                    row[i], row[i + 1] = row[i + 1], row[i]


def cost(rows):
    """Crossings count first, then how far apart neighbours stand."""
    crossings, distance = 0, 0
    for lower, upper in zip(rows, rows[1:]):
        place = {id(node): i for i, node in enumerate(lower)}
        links = [(i, place[id(b)]) for i, node in enumerate(upper) for b in node.below]
        for n, (a, b) in enumerate(links):
            distance += abs(a * len(lower) - b * len(upper))
            crossings += sum((a < c and b > d) or (a > c and b < d) for c, d in links[n + 1:])
    return crossings * 10000 + distance


# ---- Positions ----------------------------------------------------------------------------------------


def place_rows(rows):
    """Gives every node its x, from 0; returns the width of the whole."""
    for row in rows:
        x = 0
        for node in row:
            node.x = x + node.width / 2
            x += node.width + GAP
    for _ in range(SWEEPS):
        for row in rows + rows[::-1]:
            wishes = []
            for node in row:
                # Links between vias are pulled straight before all others.
                pulls = [(n.x, 4 if n.module is None and node.module is None else 1)
                         for n in node.above + node.below]
                weight = sum(w for _, w in pulls)
                wishes.append(sum(x * w for x, w in pulls) / weight if weight else node.x)
            settle(row, wishes)
    low = min(node.x - node.width / 2 for row in rows for node in row)
    high = max(node.x + node.width / 2 for row in rows for node in row)
    for row in rows:
        for node in row:
            node.x = round(node.x - low)
    return round(high - low)


def settle(row, wishes):
    """Moves nodes as near to their wishes as their order and widths allow (pool adjacent violators)."""
    offset, total, blocks = [], 0.0, []
    for i, node in enumerate(row):
        if i:
            total += (row[i - 1].width + node.width) / 2 + GAP
        offset.append(total)
        blocks.append([wishes[i] - total, 1])
        while len(blocks) > 1 and blocks[-2][0] > blocks[-1][0]:
            mean, count = blocks.pop()
            blocks[-1] = [(blocks[-1][0] * blocks[-1][1] + mean * count) / (blocks[-1][1] + count),
                          blocks[-1][1] + count]
    i = 0
    for mean, count in blocks:
        for _ in range(count):
            row[i].x = mean + offset[i]
            i += 1


# ---- Drawing ------------------------------------------------------------------------------------------


def draw_legend(picture):
    picture.rect(LEFT, 12, 26, 16, "here", 4)
    picture.text(LEFT + 34, 25, "here", "small", "start")
    picture.rect(LEFT + 84, 12, 26, 16, "planned", 4)
    picture.text(LEFT + 118, 25, "planned", "small", "start")
    picture.path(f"M{LEFT + 188} 20L{LEFT + 210} 20")
    picture.head(LEFT + 216, 20, 1, 0)
    picture.text(LEFT + 224, 25, "builds on (the table says what a module may include)", "small", "start")


def draw_module(picture, module, x, y, width, words=None):
    here = module.state == "here"
    picture.rect(x, y, width, BOX_HEIGHT, "here" if here else "planned")
    picture.text(x + width / 2, y + BOX_HEIGHT / 2 + 5, words or module.name, "on_here" if here else "name")


def draw_links(picture, node, top_of):
    x1, y1 = LEFT + node.x, round(top_of(node.layer) + BOX_HEIGHT)
    if node.module is None:
        picture.path(f"M{x1} {round(top_of(node.layer))}L{x1} {y1}")
    for lower in node.below:
        x2, y2 = LEFT + lower.x, round(top_of(lower.layer))
        end = y2 - 6 if lower.module else y2
        middle = round((y1 + end) / 2)
        picture.path(f"M{x1} {y1}C{x1} {middle} {x2} {middle} {x2} {end}")
        if lower.module:
            picture.head(x2, y2, 0, 1)
