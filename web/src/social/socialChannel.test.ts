import { readConnectResult, onConnectResult, publishConnectEnd, type ConnectResult } from './socialChannel.ts';

test('the finished window notifies the waiting one', async () => {
  const receivedEnd = new Promise<ConnectResult>((resolve) => {
    const stop = onConnectResult((end) => {
      stop();
      resolve(end);
    });
  });
  publishConnectEnd(readConnectResult('?platform=mastodon&outcome=connected'));
  expect(await receivedEnd).toEqual({ platform: 'mastodon', outcome: 'connected' });
});

test('an unknown outcome is a failure', () => {
  expect(readConnectResult('?outcome=perhaps')).toEqual({ platform: '', outcome: 'failed' });
});
