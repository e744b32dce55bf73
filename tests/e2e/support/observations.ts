import type { BrowserContext } from 'playwright-core';

/** Hidden events in a browser. */
export interface BrowserObservations {
  /** Uncaught exceptions. */
  uncaught: string[];
  /** Errors on the console. */
  consoleErrors: string[];
  /** Requests to other origins. */
  strangers: string[];
  /** Resources and actions that the content security policy refused. */
  violations: string[];
}

/** Prefix of a page's reports to its test, because a policy refuses many things without a console message. */
const violationPrefix = 'nolo-journey-violation';

/**
 * Harmless messages that browsers report as errors of the page: resize notifications delayed to the next frame, and a
 * socket that finds no server or is dropped with its page, which Firefox reports here and others on the console.
 */
const noErrors =
  /ResizeObserver loop completed|establish a connection to the server|^The connection to ws\S+ was interrupted/;

/** Observes every page of a browser from now on, including those that a story opens later. */
export async function observeBrowserContext(context: BrowserContext, origin: string): Promise<BrowserObservations> {
  const seen: BrowserObservations = { uncaught: [], consoleErrors: [], strangers: [], violations: [] };
  context.on('weberror', (webError) => {
    const error = webError.error();
    if (!noErrors.test(error.message)) seen.uncaught.push(error.stack ?? error.message);
  });
  context.on('console', (message) => {
    const text = message.text();
    if (text.startsWith(violationPrefix)) seen.violations.push(text);
    else if (message.type() === 'error') seen.consoleErrors.push(`${text} (${message.location().url})`);
  });
  context.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith('http') && url.origin !== origin) seen.strangers.push(request.url());
  });
  context.on('page', (page) => {
    page.on('websocket', (socket) => {
      if (new URL(socket.url()).host !== new URL(origin).host) seen.strangers.push(socket.url());
    });
  });
  await context.addInitScript(`addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
    console.log('${violationPrefix}', violatedDirective, blockedURI, sample));`);
  return seen;
}
