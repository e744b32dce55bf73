import { readConnectResult, onConnectResult, publishConnectEnd, type ConnectResult } from './socialChannel.ts';

test('the window that is done is heard by the one that waits', async () => {
  const receivedEnd = new Promise<ConnectResult>((resolve) => {
    const stop = onConnectResult((end) => {
      stop();
      resolve(end);
    });
  });
  publishConnectEnd(readConnectResult('?platform=mastodon&outcome=connected'));
  expect(await receivedEnd).toEqual({ platform: 'mastodon', outcome: 'connected' });
});

test('an end that nobody knows is a failure', () => {
  expect(readConnectResult('?outcome=perhaps')).toEqual({ platform: '', outcome: 'failed' });
});
