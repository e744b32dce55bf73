import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromiumArguments, getChromiumPath, eventually } from '@nolo/testing';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';

/** Chromium with a profile on disk, which can be killed as by a power cut and started again. */
export interface KillableBrowser {
  open: () => Promise<{ context: BrowserContext; page: Page }>;
  kill: () => Promise<void>;
  /** Kills the browser and keeps a copy of its profile. */
  keepCopy: () => Promise<void>;
  /** Kills the browser and puts the copy in the place of its profile. */
  restoreCopy: () => Promise<void>;
  /** Ends the browser and removes its profile and the copy. */
  remove: () => Promise<void>;
}

export async function startKillableBrowser(): Promise<KillableBrowser> {
  const profile = await mkdtemp(join(tmpdir(), 'nolo-profile-'));
  const copy = `${profile}-copy`;
  const portFile = join(profile, 'DevToolsActivePort');
  let child: ChildProcess | undefined;
  let browser: Browser | undefined;

  const kill = async (): Promise<void> => {
    const running = child;
    child = undefined;
    if (running?.pid === undefined) return;
    const ended = once(running, 'exit');
    // Kills the whole group at once, so that no process of the browser can write anything more.
    process.kill(-running.pid, 'SIGKILL');
    await ended;
    await browser?.close().catch(() => undefined);
  };

  return {
    async open() {
      await rm(portFile, { force: true });
      child = spawn(
        getChromiumPath(),
        [
          ...chromiumArguments,
          '--headless=new',
          '--remote-debugging-port=0',
          `--user-data-dir=${profile}`,
          '--lang=en-GB',
          '--window-size=1440,900',
          'about:blank',
        ],
        { detached: true, stdio: 'ignore' },
      );
      const port = await eventually(async () => {
        const [line = ''] = (await readFile(portFile, 'utf8').catch(() => '')).split('\n');
        return line !== '' && line;
      });
      browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
      const [context] = browser.contexts();
      if (context === undefined) throw new Error(`The browser has no window.`);
      context.setDefaultTimeout(15_000);
      return { context, page: context.pages()[0] ?? (await context.newPage()) };
    },
    kill,
    async keepCopy() {
      await kill();
      // Locks are links to places that do not exist.
      await cp(profile, copy, { recursive: true, verbatimSymlinks: true });
    },
    async restoreCopy() {
      await kill();
      await rm(profile, { recursive: true, force: true });
      await cp(copy, profile, { recursive: true, verbatimSymlinks: true });
    },
    async remove() {
      await kill();
      for (const folder of [profile, copy]) await rm(folder, { recursive: true, force: true });
    },
  };
}
