import type { BrowserContext } from 'playwright-core';

/** What happened in a browser without anybody seeing it. */
export interface Observations {
  /** Exceptions that nobody caught. */
  uncaught: string[];
  /** Errors on the console. */
  consoleErrors: string[];
  /** Requests to anywhere but our own origin. */
  strangers: string[];
  /** What the content security policy refused. */
  violations: string[];
}

/** Marks what a page says to its test; a policy refuses many things without a word on the console. */
const tellsViolation = 'nolo-journey-violation';

/**
 * What browsers tell as errors of the page that are none: sizes that are told with the next picture, and a socket that
 * finds no server or is left with its page, which Firefox says so and others say on the console.
 */
const noErrors =
  /ResizeObserver loop completed|establish a connection to the server|^The connection to ws\S+ was interrupted/;

/** Watches every page of a browser from now on, those included that a story opens beside its first one. */
export async function watchContext(context: BrowserContext, origin: string): Promise<Observations> {
  const seen: Observations = { uncaught: [], consoleErrors: [], strangers: [], violations: [] };
  context.on('weberror', (webError) => {
    const error = webError.error();
    if (!noErrors.test(error.message)) seen.uncaught.push(error.stack ?? error.message);
  });
  context.on('console', (message) => {
    const text = message.text();
    if (text.startsWith(tellsViolation)) seen.violations.push(text);
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
    console.log('${tellsViolation}', violatedDirective, blockedURI, sample));`);
  return seen;
}
