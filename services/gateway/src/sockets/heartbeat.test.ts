import { Connection } from './Connection.ts';
import { createHeartbeat } from './heartbeat.ts';

class WatchedConnection extends Connection {
  terminations = 0;
  override terminate(): void {
    this.terminations += 1;
  }
}

// ws creates server sockets this way too.
const connection = () => new WatchedConnection(null as unknown as string, undefined, {});

it('pings each socket once per round, and closes those that miss two pongs', () => {
  const heartbeat = createHeartbeat({ slots: 2, tickMs: 60_000 });
  const [silent, lively] = [connection(), connection()];
  heartbeat.add(silent);
  heartbeat.add(lively);
  const round = () => {
    heartbeat.tick();
    heartbeat.tick();
    lively.missedPings = 0;
  };
  round();
  expect(silent.missedPings).toBe(1);
  round();
  expect(silent.terminations).toBe(0);
  round();
  expect(silent.terminations).toBe(1);
  expect(lively.terminations).toBe(0);
  heartbeat.stop();
});

it('ignores removed sockets', () => {
  const heartbeat = createHeartbeat({ slots: 1, tickMs: 60_000 });
  const gone = connection();
  heartbeat.add(gone);
  heartbeat.remove(gone);
  heartbeat.tick();
  expect(gone.missedPings).toBe(0);
  heartbeat.stop();
});
