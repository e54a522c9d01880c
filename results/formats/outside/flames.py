# SPDX-FileCopyrightText: 2026 The Plumbline authors
# SPDX-License-Identifier: MIT
#
# The part of check-html that is about flame graphs: clicked through, searched and walked by keyboard, with every
# number that is shown held against results.json.
import re
import time

TRUTH, SAMPLED, GIVEN = 0, 1, 2
SIDES = {"all": TRUTH, "sampled": SAMPLED}
STEPS = 60  # keys pressed on a walk through a graph


def holds(condition, words):
    if not condition:
        raise AssertionError(words)


def same(what, page, file):
    holds(page == file, f"{what}: {page!r} in the page, {file!r} in results.json")


# ---- results.json -----------------------------------------------------------------------------

class Tree:
    """A row's tree as results.json has it, with totals that are worked out here."""

    def __init__(self, tree):
        self.names, self.depth, self.own, self.parent = [], [], [], []
        open_nodes = {}
        for i, line in enumerate(tree["nodes"]):
            depth, name, *counts = line.split(" ")
            self.depth.append(int(depth))
            self.names.append(None if name == "-" else tree["names"][int(name)])
            self.own.append([int(count) for count in counts])
            self.parent.append(open_nodes.get(int(depth) - 1, 0))
            open_nodes[int(depth)] = i
        self.total = [list(own) for own in self.own]
        for i in range(len(self.own) - 1, 0, -1):
            for side in range(3):
                self.total[self.parent[i]][side] += self.total[i][side]

    def share(self, node, side, counts=None):
        return (counts or self.total)[node][side] / (self.total[0][side] or 1)

    def children(self, node):
        return [i for i in range(node + 1, len(self.own)) if self.parent[i] == node]

    def width(self, node, graph, truth):
        """As a share of the graph; 0: it is not drawn."""
        given, true = self.share(node, GIVEN), self.share(node, truth)
        return {"truth": true, "profiler": given, "difference": (given + true) / 2}[graph]


def trees_of(files):
    return [(file, row, Tree(row["profiler"]["tree"])) for file in files for row in file["runs"]
            if "tree" in row.get("profiler", {})]


# ---- What the page says -----------------------------------------------------------------------

def digits(text):
    return int(text.replace("\u202f", ""))


def of_all(what, text, number, total):
    """"3 of 12 = 25.00 %\""""
    found = re.fullmatch(r"([\d\u202f]+) of ([\d\u202f]+)(?: = ([\d.]+) %)?", text)
    holds(found, f"{what}: no share: {text!r}")
    same(what, [digits(found[1]), digits(found[2])], [number, total])
    holds(total == 0 or abs(float(found[3]) - 100 * number / total) <= 0.00501, f"{what}: {text!r}")


def check_signed(what, text, difference):
    found = re.fullmatch(r"([+−±])([\d.]+) %", text)
    holds(found, f"{what}: no difference: {text!r}")
    value = float(found[2])
    holds(abs(value - 100 * abs(difference)) <= 0.00501, f"{what}: {text!r}, {difference} by results.json")
    sign = "±" if value == 0 else "+" if difference > 0 else "−"
    same(f"{what}: sign", found[1], sign)


def says(browser):
    return browser.run("return document.getElementById('flame-says').textContent;")


def check_says(browser, tree, node, truth):
    text = says(browser)
    name, _, numbers = text.rpartition(" – ")
    wanted = "all" if node == 0 else tree.names[node] if tree.names[node] is not None else "rest: paths with few samples"
    # Control characters are written out on the page.
    holds(name == wanted or not wanted.isprintable() or not wanted.isascii(), f"node {node}: {name!r} in the page, {wanted!r} in results.json")
    true, given, difference, own = numbers.split("; ")
    of_all(f"{name}: truth", true.removeprefix("truth "), tree.total[node][truth], tree.total[0][truth])
    of_all(f"{name}: profiler", given.removeprefix("profiler "), tree.total[node][GIVEN], tree.total[0][GIVEN])
    check_signed(f"{name}: difference", difference.removeprefix("difference "),
                 tree.share(node, GIVEN) - tree.share(node, truth))
    found = re.fullmatch(r"self: truth ([\d\u202f]+), profiler ([\d\u202f]+)", own)
    same(f"{name}: self", [digits(found[1]), digits(found[2])], [tree.own[node][truth], tree.own[node][GIVEN]])


CHOOSE = """const select = document.getElementById(arguments[0]);
select.value = arguments[1]; select.dispatchEvent(new Event('change'));"""


def choose(browser, row=None, graph=None, truth=None):
    for name, value in (("row", row), ("graph", graph), ("truth", truth)):
        if value is not None:
            browser.run(CHOOSE, f"flame-{name}", str(value))


def check_table(browser, tree, graph, truth):
    rows = browser.run("""return [...document.querySelectorAll('#flame-table tbody tr')].map((row) =>
      [Number(row.dataset.node), ...[...row.cells].map((cell) => cell.textContent)]);""")
    measure = {"truth": lambda i: tree.own[i][truth], "profiler": lambda i: tree.own[i][GIVEN],
               "difference": lambda i: abs(tree.share(i, GIVEN, tree.own) - tree.share(i, truth, tree.own))}[graph]
    values = sorted((measure(i) for i in range(len(tree.own))), reverse=True)
    values = [value for value in values if value > 0][:12]
    same(f"paths by {graph}", len(rows), len(values))
    for (node, _, _, true, given, difference), value in zip(rows, values):
        holds(abs(measure(node) - value) < 1e-12, f"paths by {graph}: node {node} has {measure(node)}, not {value}")
        of_all("a path: truth", true, tree.own[node][truth], tree.total[0][truth])
        of_all("a path: profiler", given, tree.own[node][GIVEN], tree.total[0][GIVEN])
        check_signed("a path", difference, tree.share(node, GIVEN, tree.own) - tree.share(node, truth, tree.own))


# Differences over all paths are as much less as more: only shares move.
SUM = """const counts = flame.tree.self; let sum = 0;
for (let i = 0; i < flame.tree.count; i++) sum += differenceOf(flame.tree, flame.truth, i, counts); return sum;"""


def check_numbers(browser, tree):
    for graph in ("difference", "profiler", "truth"):
        for truth in SIDES.values():
            choose(browser, graph=graph, truth=truth)
            check_says(browser, tree, 0, truth)
            check_table(browser, tree, graph, truth)
    total = browser.run(SUM)
    holds(abs(total) < 1e-9, f"the differences of self time add up to {total}, not to 0")


# ---- By keyboard ------------------------------------------------------------------------------

def state(browser):
    return browser.run("return [flame.at, flame.zoom];")


def walk_down(browser, tree, graph, truth):
    """To the deepest frame of the widest ones; the numbers of each must be right."""
    node = 0
    for _ in range(STEPS):
        children = [i for i in tree.children(node) if tree.width(i, graph, truth) > 0]
        if not children:
            return node
        widest = max(children, key=lambda i: (tree.width(i, graph, truth), -i))
        browser.press("Down")
        at = state(browser)[0]
        holds(abs(tree.width(at, graph, truth) - tree.width(widest, graph, truth)) < 1e-12 and tree.parent[at] == node and at != node,
              f"Down goes from {node} to {at}, not to the widest child {widest}")
        check_says(browser, tree, at, truth)
        node = at
    return node


def check_siblings(browser, tree, graph, truth):
    """Right and Left step through a row as it is drawn."""
    node = state(browser)[0]
    row = [i for i in range(len(tree.own)) if tree.depth[i] == tree.depth[node] and tree.width(i, graph, truth) > 0]
    place = row.index(node)
    browser.press("Right")
    same("Right", state(browser)[0], row[min(place + 1, len(row) - 1)])
    check_says(browser, tree, state(browser)[0], truth)
    for _ in range(2):
        browser.press("Left")
    same("Left", state(browser)[0], row[max(0, min(place + 1, len(row) - 1) - 2)])


def check_keys(browser, tree, tab_to):
    graph, truth = "difference", TRUTH
    choose(browser, graph=graph, truth=truth)
    browser.run("document.querySelector('#flames h2').scrollIntoView(); document.getElementById('flame-search').focus();")
    tab_to(browser, "node.id === 'flame'", 12)
    same("the focus", browser.run("const node = document.activeElement; return [node.getAttribute('role'), node.getAttribute('aria-describedby')];"),
         ["application", "flame-says"])
    deepest = walk_down(browser, tree, graph, truth)
    holds(deepest != 0, "Down goes nowhere")
    browser.press("Up")
    same("Up", state(browser)[0], tree.parent[deepest])
    check_siblings(browser, tree, graph, truth)
    node = state(browser)[0]
    browser.press("Enter")
    same("Enter", state(browser), [node, node])
    crumbs = browser.run("return [...document.querySelectorAll('#flame-path button')].map((one) => one.title);")
    holds(crumbs[0] == "all" and (node == 0 or len(crumbs) > 1), f"Zoomed to {node}: {crumbs}")
    box = browser.run("return [extent(flame.zoom, flameWidth())[1], flameWidth()];")
    same("the zoomed frame's width", box[0], box[1])
    browser.press("Escape")
    same("Escape", state(browser)[1], tree.parent[node])
    browser.press("Home")
    same("Home", state(browser), [0, 0])
    check_says(browser, tree, 0, truth)


# ---- By pointer -------------------------------------------------------------------------------

# The middle of the widest frame of a depth, in the window.
FRAME = """document.getElementById('flame').scrollIntoView({block: 'center'});
let best = -1;
for (let i = 0; i < flame.tree.count; i++)
  if (flame.tree.depth[i] === arguments[0] && isIn(i) && (best < 0 || flame.place.width[i] > flame.place.width[best])) best = i;
if (best < 0) return null;
const box = frameBox(best);
return [best, Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)];"""


def check_pointer(browser, tree):
    choose(browser, graph="difference", truth=TRUTH)
    node, x, y = browser.run(FRAME, 1)
    browser.hover(x, y)
    check_says(browser, tree, node, TRUTH)
    tip = browser.run("const tip = document.getElementById('tip'); return tip.hidden ? '' : tip.textContent;")
    total = tree.total[node][TRUTH]
    holds(f"truth {total:,} of".replace(",", "\u202f") in tip, f"the tip says {tip!r}, not {total}")
    node, x, y = browser.run(FRAME, 2) or (node, x, y)
    browser.click(x, y)
    same("a click", state(browser), [node, node])
    node_above, x, y = browser.run(FRAME, 0)
    browser.click(x, y)
    same("a click on the first row", state(browser), [node_above, node_above])
    browser.run("document.querySelector('#flame-table tbody button').click();")
    shown = browser.run("return Number(document.querySelector('#flame-table tbody tr').dataset.node);")
    same("a click in the table", state(browser)[0], shown)
    browser.run("zoomTo(0);")


# ---- Search -----------------------------------------------------------------------------------

def type_search(browser, text):
    browser.run("const input = document.getElementById('flame-search'); input.focus(); input.select();")
    browser.press("\ue017", *text)  # Delete
    return browser.run("return document.getElementById('flame-found').textContent;")


def check_search(browser, tree):
    browser.run("zoomTo(0);")
    named = [name for name in tree.names if name is not None]
    word = re.search(r"\w+(?=\()|\w+$", max(named, key=named.count))[0][:6]
    pattern = f"{word.upper()}|nobodyhasit"
    text = type_search(browser, pattern)
    found = [name is not None and re.search(pattern, name, re.I) is not None for name in tree.names]
    counts = [0, 0, 0]
    for i, match in enumerate(found):
        above = tree.parent[i]
        while match and above != 0 and not found[above]:
            above = tree.parent[above]
        if match and not found[above]:
            counts = [sum(two) for two in zip(counts, tree.total[i])]
    said = re.fullmatch(r"([\d\u202f]+) of ([\d\u202f]+) frames match; stacks with a match: truth (.*), profiler (.*)\.", text)
    holds(said, f"the search says {text!r}")
    same("frames that match", [digits(said[1]), digits(said[2])], [sum(found), len(tree.own) - 1])
    of_all("matches: truth", said[3], counts[TRUTH], tree.total[0][TRUTH])
    of_all("matches: profiler", said[4], counts[GIVEN], tree.total[0][GIVEN])
    holds(type_search(browser, "(").startswith("No regular expression"), "( is no error")
    same("aria-invalid", browser.run("return document.getElementById('flame-search').getAttribute('aria-invalid');"), "true")
    same("no search", type_search(browser, ""), "")


# ---- Looks ------------------------------------------------------------------------------------

# The lowest contrast of text on any colour that a frame can have; how many frames should be drawn, and are not.
LOOKS = """const dot = new OffscreenCanvas(1, 1).getContext('2d', {willReadFrequently: true});
const light = (colour) => {
  dot.fillStyle = colour; dot.fillRect(0, 0, 1, 1);
  const part = (value) => { const c = value / 255; return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; };
  const [r, g, b] = [...dot.getImageData(0, 0, 1, 1).data].map(part);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
drawFlame();
const colours = flame.colours, ink = light(colours.ink);
const contrast = (colour) => { const other = light(colour); return (Math.max(ink, other) + 0.05) / (Math.min(ink, other) + 0.05); };
const fills = [colours.even, colours.rest, ...colours.tones, ...colours.more, ...colours.less];
const {width, height} = flame.canvas, copy = new OffscreenCanvas(width, height).getContext('2d', {willReadFrequently: true});
copy.drawImage(flame.canvas, 0, 0);
// Beside the frame's text and between its edges.
let drawn = 0, wrong = 0;
for (let i = 0; i < flame.tree.count; i++) {
  const [left, wide] = extent(i, flameWidth()), top = flame.tree.depth[i] * flameRow - flame.holder.scrollTop;
  if (wide < 8 || top < 0 || top + flameRow > flame.holder.clientHeight) continue;
  dot.fillStyle = fillOf(i); dot.fillRect(0, 0, 1, 1);
  const wanted = dot.getImageData(0, 0, 1, 1).data, found = copy.getImageData(left + 2, top + 5, 1, 1).data;
  drawn++;
  wrong += [0, 1, 2].some((part) => Math.abs(wanted[part] - found[part]) > 2);
}
return [Math.min(...fills.map(contrast)), drawn, wrong];"""


def check_flame_looks(browser):
    ink = []
    for colours in ("light", "dark"):
        browser.media(colours=colours)
        browser.settle()
        contrast, drawn, wrong = browser.run(LOOKS)
        holds(contrast >= 4.5, f"text on a frame has a contrast of {contrast:.2f} in {colours}")
        holds(drawn >= 3 and wrong == 0, f"{wrong} of {drawn} frames are not drawn in {colours}")
        ink.append(browser.run("return flame.colours.ink;"))
    holds(ink[0] != ink[1], "the graph is as light in the dark")
    browser.run("dispatchEvent(new Event('beforeprint'));")
    browser.media(media="print", colours="dark")
    browser.settle()
    browser.run("drawFlame();")
    same("ink on paper", browser.run("return flame.colours.ink;"), ink[0])
    holds(browser.run("return document.querySelector('#flame-table button').getClientRects().length > 0;"),
          "the table's methods are not on paper")
    holds(browser.run("""return document.querySelector('#flame canvas').getBoundingClientRect().bottom <=
      document.getElementById('flame-says').getBoundingClientRect().top;"""), "the graph lies over what follows on paper")
    browser.media()
    browser.run("dispatchEvent(new Event('afterprint'));")
    browser.size(400, 800)
    browser.settle()
    over = browser.run("""return ['flame', 'flame-path', 'flame-says', 'flame-accounts', 'flame-row', 'flame-truth', 'flame-search'].filter((id) =>
      document.getElementById(id).getBoundingClientRect().right > document.documentElement.clientWidth);""")
    same("wider than a small screen", over, [])
    browser.size(0, 0)


# ---- The whole --------------------------------------------------------------------------------

def check_drawn(browser):
    """Milliseconds from the navigation's start until the first graph is on the screen."""
    for _ in range(100):
        painted = browser.run("return flame.painted;")
        if painted > 0:
            return painted
        time.sleep(0.05)
    raise AssertionError("no flame graph is drawn")


def check_merged(browser, files):
    """The entry of all rows of a report together, behind them."""
    entry = 0
    for file in files:
        trees = [tree for _, _, tree in trees_of([file])]
        entry += len(trees)
        if len(trees) < 2:
            continue
        choose(browser, row=entry)
        entry += 1
        totals = browser.run("return sides.map((side) => flame.tree.total[side][0]);")
        same("all rows together", totals, [sum(tree.total[0][side] for tree in trees) for side in range(3)])
        holds(browser.run("return flame.tree.total[0].every((total, i) => total >= flame.tree.self[0][i]);"), "a sum is too small")
    same("rows", browser.run("return document.getElementById('flame-row').options.length;"), entry)


LINK = """document.getElementById('layer').value = 'profiler';
document.getElementById('layer').dispatchEvent(new Event('change'));
[...document.querySelectorAll('.heat td[data-mode]')].find(({dataset: cell}) => cell.report === String(arguments[0]) &&
  cell.case === arguments[1] && cell.mode === arguments[2] && cell.scope === arguments[3]).click();
document.querySelector('#detail a[href="#flames"]').click();
return [flameRowsOf[Number(document.getElementById('flame-row').value)][2][0].mode, sides.map((side) => flame.tree.total[side][0])];"""


def check_link(browser, files):
    """From a row's cell in the heat map to its graph."""
    file, row, tree = [one for one in trees_of(files) if one[1]["case"].isprintable()][-1]
    shown = browser.run(LINK, files.index(file), row["case"], row["mode"], row["scope"])
    same("the graph behind the link", shown, [row["mode"], tree.total[0]])


def check_flames(browser, files, tab_to):
    """Of the page that is open. How many graphs were looked at."""
    rows = trees_of(files)
    if not rows:
        same("graphs", browser.run("return document.getElementById('flames');"), None)
        return 0
    check_drawn(browser)
    entry, checked = 0, 0
    for file in files:
        trees = trees_of([file])
        for _, row, tree in trees:
            choose(browser, row=entry)
            entry += 1
            accounts = browser.run("return document.getElementById('flame-accounts').textContent;")
            joined, recorded = row["profiler"]["joined"], row["profiler"]["recorded"]
            of_all("the accounts", re.search(r"signals (.*?) led to", accounts)[1], joined, recorded)
            # Beyond the page's bound the coldest paths are folded; no stack is lost.
            totals = browser.run("return sides.map((side) => flame.tree.total[side][0]);")
            same("stacks", totals, tree.total[0])
            if browser.run("return flame.tree.count;") != len(tree.own) or checked >= 3:
                continue
            checked += 1
            check_numbers(browser, tree)
            check_keys(browser, tree, tab_to)
            check_pointer(browser, tree)
            check_search(browser, tree)
        entry += len(trees) > 1
    holds(checked > 0, "no graph has all its nodes on the page")
    check_merged(browser, files)
    check_link(browser, files)
    check_flame_looks(browser)
    choose(browser, row=0, graph="difference", truth=TRUTH)
    return len(rows)
