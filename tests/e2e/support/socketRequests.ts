import type { Page } from 'playwright-core';

/** Records the types of a page's socket requests, including those of sockets opened later. */
export function recordSocketRequests(page: Page): string[] {
  const requests: string[] = [];
  page.on('websocket', (socket) => {
    socket.on('framesent', ({ payload }) => {
      const frame = JSON.parse(payload.toString()) as { type: string };
      requests.push(frame.type);
    });
  });
  return requests;
}
