import { fakeTimers } from '../../tests/fakeTimers.ts';
import { createTileVisibilityReporter, type ViewedTile } from './tileVisibilityReporter.ts';

function setUp() {
  const clock = fakeTimers();
  const sent: ViewedTile[][] = [];
  return {
    clock,
    sent,
    view: createTileVisibilityReporter({ timers: clock.timers, send: (tiles) => sent.push(tiles) }),
  };
}
const tile = (participantId: string, height = 320, priority = 50): ViewedTile => ({
  participantId,
  source: 'camera',
  height,
  priority,
});

test('changes made together are sent once, and nothing is sent again', async () => {
  const { clock, sent, view } = setUp();
  view.show('a', tile('a'));
  view.show('b', tile('b', 300));
  await clock.advance(200);
  // A few pixels more or less request the same layer.
  view.show('a', tile('a', 322));
  await clock.advance(200);
  expect(sent).toEqual([[tile('a'), tile('b', 304)]]);
});

test('hidden tiles are left out, and a hidden page requests none', async () => {
  const { clock, sent, view } = setUp();
  view.show('a', tile('a'));
  view.show('b', tile('b'));
  await clock.advance(200);
  view.show('a', undefined);
  await clock.advance(200);
  view.setHidden(true);
  await clock.advance(200);
  view.setHidden(false);
  await clock.advance(200);
  expect(sent.slice(1)).toEqual([[tile('b')], [], [tile('b')]]);
});

test('new transports are sent the visible tiles again', async () => {
  const { clock, sent, view } = setUp();
  view.show('a', tile('a'));
  await clock.advance(200);
  view.resend();
  await clock.advance(200);
  expect(sent).toHaveLength(2);
});

test('the most important tiles go first if there are more than the server accepts', async () => {
  const { clock, sent, view } = setUp();
  for (let index = 0; index < 40; index++) view.show(`${index}`, tile(`${index}`));
  view.show('screen', { ...tile('s', 900, 255), source: 'screen' });
  await clock.advance(200);
  expect(sent[0]).toHaveLength(24);
  expect(sent[0]?.[0]).toMatchObject({ source: 'screen' });
});

test('tiles removed after leaving the room are not sent', async () => {
  const { clock, sent, view } = setUp();
  view.show('a', tile('a'));
  await clock.advance(200);
  view.stop();
  view.show('a', undefined);
  await clock.advance(200);
  expect(sent).toHaveLength(1);
});

test('tiles that are recorded or in the small window are requested while the page is hidden, too', async () => {
  const { clock, sent, view } = setUp();
  view.show('a', tile('a'));
  view.show('recording b', { ...tile('b'), always: true });
  view.setHidden(true);
  await clock.advance(200);
  expect(sent).toEqual([[tile('b')]]);
});

test('a video shown twice is requested once, as sharp as the larger of both', async () => {
  const { clock, sent, view } = setUp();
  view.show('a', tile('a', 160, 20));
  view.show('recording a', { ...tile('a', 720, 60), always: true });
  await clock.advance(200);
  view.show('recording a', undefined);
  await clock.advance(200);
  expect(sent).toEqual([[tile('a', 720, 60)], [tile('a', 160, 20)]]);
});
