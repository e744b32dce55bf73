import playwright from 'playwright-core';
import TestEnvironment from '../../../jest.environment.mjs';

/**
 * Where journeys run: as all tests under Node do, but with one Playwright for all files of a process. To read its seven
 * megabytes anew takes half a second of a processor, and there is nothing in it that a file could leave to the next.
 */
export default class BrowserEnvironment extends TestEnvironment {
  async setup() {
    await super.setup();
    this.global.noloPlaywright = playwright;
  }
}
