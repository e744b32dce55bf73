import { connectEndIn, onConnectEnd, tellConnectEnd, type ConnectEnd } from './socialChannel.ts';

test('the window that is done is heard by the one that waits', async () => {
  const heard = new Promise<ConnectEnd>((resolve) => {
    const stop = onConnectEnd((end) => {
      stop();
      resolve(end);
    });
  });
  tellConnectEnd(connectEndIn('?platform=mastodon&outcome=connected'));
  expect(await heard).toEqual({ platform: 'mastodon', outcome: 'connected' });
});

test('an end that nobody knows is a failure', () => {
  expect(connectEndIn('?outcome=perhaps')).toEqual({ platform: '', outcome: 'failed' });
});
