"""A small SVG writer: shapes with classes, whole coordinates, one element a line, colours for light and dark."""

from html import escape

FONT = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif"

LIGHT = {"ink": "#22303c", "soft": "#5d6d7a", "line": "#8796a3", "band": "#f2f5f7", "card": "#ffffff",
         "here": "#0f766e", "on_here": "#ffffff", "warm": "#fdf0d9", "warm_line": "#c98a1b",
         "cool": "#e1eefb", "cool_line": "#3f7fbf", "leaf": "#e3f4ea", "leaf_line": "#3c9a68"}
DARK = {"ink": "#e3e9ee", "soft": "#9aa9b5", "line": "#71808d", "band": "#1d242b", "card": "#141a20",
        "here": "#2aa198", "on_here": "#06201d", "warm": "#3a2f1a", "warm_line": "#d9a441",
        "cool": "#1b3046", "cool_line": "#6aa8e0", "leaf": "#1b3527", "leaf_line": "#63bd8d"}

STYLE = """
.band {{ fill: {band} }}
.card {{ fill: {card}; stroke: {line}; stroke-width: 1.2 }}
.planned {{ fill: {card}; stroke: {line}; stroke-width: 1.4; stroke-dasharray: 5 4 }}
.here {{ fill: {here} }}
.warm {{ fill: {warm}; stroke: {warm_line}; stroke-width: 1.2 }}
.cool {{ fill: {cool}; stroke: {cool_line}; stroke-width: 1.2 }}
.leaf {{ fill: {leaf}; stroke: {leaf_line}; stroke-width: 1.2 }}
.link {{ fill: none; stroke: {line}; stroke-width: 1.3 }}
.dashed {{ stroke-dasharray: 4 4 }}
.head {{ fill: {line} }}
text {{ fill: {ink}; font: 14px {font} }}
.name {{ font-weight: 600 }}
.on_here {{ fill: {on_here}; font-weight: 600 }}
.small {{ font-size: 12px; fill: {soft} }}
"""


class Svg:
    def __init__(self, width, height, title):
        self.width, self.height, self.title = width, height, title
        self.parts = []

    def rect(self, x, y, width, height, kind, radius=7):
        self.parts.append(f'<rect class="{kind}" x="{round(x)}" y="{round(y)}" width="{round(width)}" '
                          f'height="{round(height)}" rx="{radius}"/>')

    def text(self, x, y, words, kind="", anchor="middle"):
        style = f' class="{kind}"' if kind else ""
        self.parts.append(f'<text{style} x="{round(x)}" y="{round(y)}" text-anchor="{anchor}">'
                          f"{escape(words)}</text>")

    def path(self, data, kind="link"):
        self.parts.append(f'<path class="{kind}" d="{data}"/>')

    def head(self, x, y, dx, dy):
        """An arrowhead whose tip is at x, y, and which points along dx, dy: one of the four directions."""
        x, y = round(x), round(y)
        left, right = (x - 8 * dx - 4 * dy, y - 8 * dy + 4 * dx), (x - 8 * dx + 4 * dy, y - 8 * dy - 4 * dx)
        self.path(f"M{x} {y}L{left[0]} {left[1]}L{right[0]} {right[1]}Z", "head")

    def arrow(self, x1, y1, x2, y2, kind="link"):
        """A straight arrow along one axis."""
        dx, dy = (x2 > x1) - (x2 < x1), (y2 > y1) - (y2 < y1)
        self.path(f"M{round(x1)} {round(y1)}L{round(x2 - 6 * dx)} {round(y2 - 6 * dy)}", kind)
        self.head(x2, y2, dx, dy)

    def finish(self):
        light, dark = (STYLE.format(font=FONT, **colours).strip() for colours in (LIGHT, DARK))
        return "\n".join([
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" '
            f'width="{self.width}" height="{self.height}" role="img">',
            f"<title>{escape(self.title)}</title>",
            f"<style>\n{light}\n@media (prefers-color-scheme: dark) {{\n{dark}\n}}\n</style>",
            *self.parts, "</svg>", ""])
