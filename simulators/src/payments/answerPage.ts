import type { Response } from 'express';
import type { Html } from '../pages/html.ts';

/** Sends a page whose form may end with a redirect to the merchant, which browsers check against form-action. */
export function answerPage(response: Response, markup: Html, ...targets: readonly string[]): void {
  const origins = targets.filter((target) => URL.canParse(target)).map((target) => new URL(target).origin);
  const policy = String(response.getHeader('Content-Security-Policy') ?? '');
  response.setHeader(
    'Content-Security-Policy',
    policy.replace('form-action', `form-action ${[...new Set(origins)].join(' ')}`),
  );
  response.send(markup.text);
}
