import type { TestApi } from '@nolo/testing';

/** App password that the simulated Bluesky accepts. */
export const simulatedBlueskyAppPassword = 'simulated-platform-secret';

/** Acts as a person in the platform's window, who allows access or denies it and is redirected. Returns the target. */
export async function answerConsent(address: string, choice: 'allow' | 'deny' = 'allow'): Promise<URL> {
  const markup = await (await fetch(address)).text();
  const link = new RegExp(`id="${choice}" href="([^"]+)"`).exec(markup)?.[1];
  if (link === undefined) throw new Error(`The platform's page offers no way to ${choice} it: ${markup.slice(0, 200)}`);
  return new URL(link.replaceAll('&amp;', '&'));
}

/** Connects an account as a browser does. Returns the final address of the window. */
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
