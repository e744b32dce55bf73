import playwright from 'playwright-core';
import TestEnvironment from '../../jest/environment.mjs';

/**
 * Environment of the journeys: like that of all tests under Node, but with one Playwright for all files of a process.
 * Loading its seven megabytes again takes half a second of CPU, and it has no state that a file could leave to the
 * next.
 */
export default class BrowserEnvironment extends TestEnvironment {
  async setup() {
    await super.setup();
    this.global.noloPlaywright = playwright;
  }
}
