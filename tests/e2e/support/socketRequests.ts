import type { Page } from 'playwright-core';

/** The types of what a page asks over its sockets, those included that it opens later. */
export function socketRequestsOf(page: Page): string[] {
  const asked: string[] = [];
  page.on('websocket', (socket) => {
    socket.on('framesent', ({ payload }) => {
      const frame = JSON.parse(payload.toString()) as { type: string };
      asked.push(frame.type);
    });
  });
  return asked;
}
