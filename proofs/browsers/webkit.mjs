/** WebKitGTK's MiniBrowser over WebDriver, on a screen of its own: without a window manager it never has the focus. */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Builder, By, Key } from "selenium-webdriver";
import { NEEDED } from "./installed.mjs";

const BROWSER = "MiniBrowser";
const TRIES = 100;
const STEP_MS = 100;

/** Resolves with the screen's number, which Xvfb chooses and writes. */
function startScreen(width, height) {
  const arguments_ = ["-displayfd", "3", "-screen", "0", `${width}x${height}x24`, "-nolisten", "tcp"];
  const child = spawn(NEEDED.WebKit.programs.screen, arguments_, {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  return new Promise((resolve, reject) => {
    child.on("exit", () => reject(new Error("Xvfb did not start")));
    child.stdio[3].on("data", (number) => resolve({ child, display: `:${`${number}`.trim()}` }));
  });
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

async function answering(address) {
  for (let tries = 0; tries < TRIES; tries += 1) {
    if (
      await fetch(address).then(
        () => true,
        () => false,
      )
    ) {
      return;
    }
    await sleep(STEP_MS);
  }
  throw new Error(`Nothing answers at ${address}`);
}

/** Settings of GTK, from which WebKit takes whether motion is wanted. */
function settingsFolder(calm) {
  const folder = mkdtempSync(join(tmpdir(), "webkit-"));
  mkdirSync(join(folder, "gtk-3.0"));
  writeFileSync(join(folder, "gtk-3.0/settings.ini"), `[Settings]\ngtk-enable-animations=${calm ? 0 : 1}\n`);
  return folder;
}

/** A window of this size. `calm`: as for visitors who asked for reduced motion. `eager`: go() waits for no part of a page. */
export async function openWebKit({ width, height, calm, eager = false }) {
  const { driver: driverFile, browser, windowManager } = NEEDED.WebKit.programs;
  const folder = settingsFolder(calm);
  const screen = await startScreen(width, height);
  const env = { ...process.env, DISPLAY: screen.display, XDG_CONFIG_HOME: folder, GDK_BACKEND: "x11" };
  const port = await freePort();
  const quiet = { env, stdio: "ignore" };
  const children = [
    screen.child,
    spawn(windowManager, ["-use_titlebar", "no"], quiet),
    spawn(driverFile, [`--port=${port}`], quiet),
  ];
  const server = `http://127.0.0.1:${port}`;
  const end = () => {
    for (const child of children.reverse()) {
      child.removeAllListeners("exit").kill();
    }
    rmSync(folder, { recursive: true, force: true });
    process.off("exit", end);
  };
  process.on("exit", end);
  try {
    await answering(`${server}/status`);
    const capabilities = {
      browserName: BROWSER,
      pageLoadStrategy: eager ? "none" : "normal",
      "webkitgtk:browserOptions": { binary: browser, args: ["--automation", "--full-screen"] },
    };
    const driver = await new Builder().usingServer(server).withCapabilities(capabilities).build();
    const version = (await driver.getCapabilities()).getBrowserVersion();
    return { ...actions(driver), version, close: () => driver.quit().finally(end) };
  } catch (cause) {
    end();
    throw cause;
  }
}

/** A browser that has just been started may stay on its own empty page, though it has fetched the one asked for. */
async function open(driver, address) {
  let shown = "about:blank";
  for (let tries = 0; tries < TRIES && shown === "about:blank"; tries += 1) {
    if (tries % (TRIES / 4) === 0) {
      await driver.get(address);
    }
    await sleep(STEP_MS);
    shown = await driver.executeScript("return location.href");
  }
}

function actions(driver) {
  const find = (place) => driver.findElement(By.css(place));
  return {
    go: (address) => open(driver, address),
    run: (code, ...values) => driver.executeScript(`return (${code}).apply(null, arguments)`, ...values),
    click: (place) => find(place).click(),
    write: (text) => driver.actions().sendKeys(text).perform(),
    press: (key) => driver.actions().sendKeys(Key[key.toUpperCase()]).perform(),
  };
}
