# SPDX-FileCopyrightText: 2026 The Plumbline authors
# SPDX-License-Identifier: MIT
#
# As much of WebDriver (w3.org/TR/webdriver2) as check-html needs: one headless Chromium, driven by the
# chromedriver that is packaged with it. Uses Python's own library alone.
import base64
import json
import pathlib
import re
import subprocess
import tempfile
import urllib.error
import urllib.parse
import urllib.request

KEYS = {"Tab": "\ue004", "Enter": "\ue007", "Escape": "\ue00c", "Left": "\ue012", "Up": "\ue013",
        "Right": "\ue014", "Down": "\ue015", "Home": "\ue011", "End": "\ue010", "Shift": "\ue008"}
# Through a pipe, chromedriver needs no name for this host: a bare root has no /etc/hosts, hence no "localhost".
ARGUMENTS = ["--remote-debugging-pipe", "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--no-first-run", "--disable-background-networking", "--disable-component-update",
             "--force-device-scale-factor=1"]
# The events of the DevTools protocol that announce a request.
REQUESTS = {"Network.requestWillBeSent": lambda params: params["request"]["url"],
            "Network.webSocketCreated": lambda params: params["url"],
            "Network.webTransportCreated": lambda params: params["url"]}


# No proxy lies between this machine and itself.
DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class Browser:
    """One tab with one page at a time. Keeps what that page wrote on its console and what it requested."""

    def __init__(self, width=1400, height=1000):
        self.profile = tempfile.TemporaryDirectory(prefix="plumbline-chromium-", ignore_cleanup_errors=True)
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE,
                                       stderr=subprocess.DEVNULL, text=True)
        try:
            self.start(width, height)
        except BaseException:
            self.end()
            raise

    def start(self, width, height):
        self.base = None
        for line in self.driver.stdout:
            found = re.search(r"started successfully on port (\d+)", line)
            if found:
                self.base = f"http://127.0.0.1:{found[1]}"
                break
        if self.base is None:
            raise RuntimeError("chromedriver does not start")
        options = {"args": ARGUMENTS + [f"--window-size={width},{height}", f"--user-data-dir={self.profile.name}"]}
        asked = {"alwaysMatch": {"goog:chromeOptions": options,
                                 "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}}
        self.session = self.call("POST", "/session", {"capabilities": asked}, session=False)["sessionId"]
        self.page = None
        self.logs = {"browser": [], "performance": []}
        # Chromium's first tab loads a start page, which makes requests of its own. Pages get another tab.
        self.tab = self.call("POST", "/window/new", {"type": "tab"})["handle"]
        self.close_other_tabs()

    def call(self, method, path, body=None, session=True):
        url = self.base + (f"/session/{self.session}" if session else "") + path
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(url, data, {"Content-Type": "application/json"}, method=method)
        try:
            with DIRECT.open(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            value = json.load(error)["value"]
            raise RuntimeError(f"{path}: {value['error']}: {value['message'].splitlines()[0]}") from None

    def close(self):
        try:
            self.call("DELETE", "")
        except (RuntimeError, OSError):
            pass
        self.end()

    def end(self):
        self.driver.terminate()
        self.driver.wait(20)
        self.profile.cleanup()

    def close_other_tabs(self):
        for handle in self.call("GET", "/window/handles"):
            if handle != self.tab:
                self.call("POST", "/window", {"handle": handle})
                self.call("DELETE", "/window")
        self.call("POST", "/window", {"handle": self.tab})

    def open(self, path):
        """Opens the file. What is logged from here on is of this page, not of one before it."""
        self.close_other_tabs()
        self.call("POST", "/url", {"url": "about:blank"})
        for kind, entries in self.logs.items():
            self.log(kind)
            entries.clear()
        self.page = pathlib.Path(path).as_uri()
        self.call("POST", "/url", {"url": self.page})

    def run(self, script, *arguments):
        return self.call("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def settle(self):
        """Returns after the page has handled the events that wait."""
        self.run("return new Promise((done) => requestAnimationFrame(() => setTimeout(done)));")

    def press(self, *keys):
        """Real key events, one after the other; "Shift+Tab" is held."""
        actions = []
        for key in keys:
            held = [KEYS[name] for name in key.split("+")[:-1]] if len(key) > 1 else []
            last = key.split("+")[-1] if len(key) > 1 else key
            names = held + [KEYS.get(last, last)]
            actions += [{"type": "keyDown", "value": name} for name in names]
            actions += [{"type": "keyUp", "value": name} for name in reversed(names)]
        self.call("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def hover(self, x, y):
        move = {"type": "pointerMove", "duration": 0, "x": x, "y": y}
        self.call("POST", "/actions", {"actions": [{"type": "pointer", "id": "mouse", "actions": [move]}]})

    def click(self, x, y):
        move = {"type": "pointerMove", "duration": 0, "x": x, "y": y}
        pressed = [{"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
        self.call("POST", "/actions", {"actions": [{"type": "pointer", "id": "mouse", "actions": [move, *pressed]}]})

    def size(self, width, height):
        """What the page takes the screen for; 0: as the window is. A window is no narrower than 500."""
        self.call("POST", "/goog/cdp/execute",
                  {"cmd": "Emulation.setDeviceMetricsOverride",
                   "params": {"width": width, "height": height, "deviceScaleFactor": 0, "mobile": False}})

    def media(self, media="", colours="light"):
        features = [{"name": "prefers-color-scheme", "value": colours}]
        self.call("POST", "/goog/cdp/execute",
                  {"cmd": "Emulation.setEmulatedMedia", "params": {"media": media, "features": features}})

    def log(self, kind):
        """All entries since the page was opened; chromedriver gives each of them only once."""
        self.logs[kind] += self.call("POST", "/se/log", {"type": kind})
        return self.logs[kind]

    def console(self):
        return [entry["message"] for entry in self.log("browser")]

    def requests(self):
        """The URLs that the page asked for, except the page itself, data: and blob:."""
        messages = [json.loads(entry["message"])["message"] for entry in self.log("performance")]
        urls = [REQUESTS[one["method"]](one["params"]) for one in messages if one["method"] in REQUESTS]
        return [url for url in urls if not url.startswith(("data:", "blob:"))
                and urllib.parse.unquote(url) != urllib.parse.unquote(self.page)]

    def others(self):
        """What the page started besides itself: tabs, frames, workers. Its log does not hold their requests."""
        targets = self.call("POST", "/goog/cdp/execute", {"cmd": "Target.getTargets", "params": {}})["targetInfos"]
        return [f"{one['type']} {one['url']}" for one in targets
                if one["type"] in ("page", "iframe", "worker", "shared_worker") and one["targetId"] != self.tab]

    def pdf(self):
        # WebDriver's own command gives up after 10 s, which a busy machine may need.
        made = self.call("POST", "/goog/cdp/execute", {"cmd": "Page.printToPDF", "params": {}})
        return base64.b64decode(made["data"])

    def screenshot(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("GET", "/screenshot")))

    def picture(self, path, selector):
        """The first element that the CSS selector finds, as a PNG."""
        found = self.call("POST", "/element", {"using": "css selector", "value": selector})
        element = next(iter(found.values()))
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("GET", f"/element/{element}/screenshot")))
