# SPDX-FileCopyrightText: 2026 The Plumbline authors
# SPDX-License-Identifier: MIT
#
# As much of WebDriver (w3.org/TR/webdriver2) as check-html needs: one headless Chromium, driven by the
# chromedriver that is packaged with it. Only Python's own library.
import base64
import json
import re
import subprocess
import tempfile
import urllib.error
import urllib.request

KEYS = {"Tab": "\ue004", "Enter": "\ue007", "Escape": "\ue00c", "Left": "\ue012", "Up": "\ue013",
        "Right": "\ue014", "Down": "\ue015", "Home": "\ue011", "End": "\ue010", "Shift": "\ue008"}
ARGUMENTS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--force-device-scale-factor=1"]


class Browser:
    """A page that works: any message on its console, and any request but for files, is kept."""

    def __init__(self, width=1400, height=1000):
        self.profile = tempfile.TemporaryDirectory(prefix="plumbline-chromium-", ignore_cleanup_errors=True)
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE,
                                       stderr=subprocess.DEVNULL, text=True)
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

    def call(self, method, path, body=None, session=True):
        url = self.base + (f"/session/{self.session}" if session else "") + path
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(url, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            value = json.load(error)["value"]
            raise RuntimeError(f"{path}: {value['error']}: {value['message'].splitlines()[0]}") from None

    def close(self):
        try:
            self.call("DELETE", "")
        except (RuntimeError, OSError):
            pass
        self.driver.terminate()
        self.driver.wait(20)
        self.profile.cleanup()

    def open(self, path):
        self.call("POST", "/url", {"url": f"file://{path}"})

    def run(self, script, *arguments):
        return self.call("POST", "/execute/sync", {"script": script, "args": list(arguments)})

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

    def media(self, media="", colours="light"):
        features = [{"name": "prefers-color-scheme", "value": colours}]
        self.call("POST", "/goog/cdp/execute",
                  {"cmd": "Emulation.setEmulatedMedia", "params": {"media": media, "features": features}})

    def console(self):
        return [entry["message"] for entry in self.call("POST", "/se/log", {"type": "browser"})]

    def requests(self):
        """What was asked for, but for files and what is inside the page."""
        urls = []
        for entry in self.call("POST", "/se/log", {"type": "performance"}):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                urls.append(message["params"]["request"]["url"])
        return [url for url in urls if not url.startswith(("file:", "data:", "about:", "chrome:"))]

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
