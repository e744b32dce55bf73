import type { TestApi } from '@nolo/testing';

/** What the simulated Bluesky takes as app password. */
export const simulatedPassword = 'simulated-platform-secret';

/** What a person does in the platform's window: allows it, or not, and is sent back; answers with where to. */
export async function answerConsent(address: string, choice: 'allow' | 'deny' = 'allow'): Promise<URL> {
  const markup = await (await fetch(address)).text();
  const link = new RegExp(`id="${choice}" href="([^"]+)"`).exec(markup)?.[1];
  if (link === undefined) throw new Error(`The platform's page has no way to ${choice} it: ${markup.slice(0, 200)}`);
  return new URL(link.replaceAll('&amp;', '&'));
}

/** Connects an account as a browser does, and answers with where the window ended. */
export async function connectByWindow(
  api: TestApi,
  platform: string,
  choice: 'allow' | 'deny' = 'allow',
): Promise<URLSearchParams> {
  const { body } = await api.post(`/api/social/connect/${platform}`);
  const back = await answerConsent(body.authUrl as string, choice);
  const { status, headers } = await api.get(back.pathname + back.search);
  const end = new URL(headers.get('location') ?? '', api.baseUrl);
  if (status !== 302 || end.pathname !== '/social-connected') throw new Error(`The window ended with ${status}.`);
  return end.searchParams;
}
