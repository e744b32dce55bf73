import { createAppError } from '../errors.ts';
import { createHoldWhileUnavailable, HoldJobError } from './jobsQueue.ts';
import { createLog } from '../telemetry/log.ts';

test('a job is put on hold, uncounted, while another service is unreachable; a refusal counts as an answer', async () => {
  const lines: { level: string; why?: string }[] = [];
  const log = createLog({
    service: 'test',
    destination: { write: (line) => void lines.push(JSON.parse(line) as (typeof lines)[number]) },
  });
  const holdIfUnavailable = createHoldWhileUnavailable('identity_unavailable', log);
  const away = () =>
    Promise.reject(createAppError('unavailable', 'service_unavailable', 'The service is unavailable.'));
  await expect(holdIfUnavailable(away)).rejects.toBeInstanceOf(HoldJobError);
  await expect(holdIfUnavailable(away)).rejects.toMatchObject({ code: 'identity_unavailable', afterMs: 5_000 });
  await expect(holdIfUnavailable(() => Promise.resolve('ann'))).resolves.toBe('ann');
  await expect(holdIfUnavailable(away)).rejects.toBeInstanceOf(HoldJobError);
  const refusal = createAppError('not_found', 'user_not_found', 'There is nobody of that id.');
  await expect(holdIfUnavailable(() => Promise.reject(refusal))).rejects.toBe(refusal);
  // A single log entry for each outage.
  expect(lines.map(({ level, why }) => [level, why])).toEqual([
    ['warn', 'identity_unavailable'],
    ['warn', 'identity_unavailable'],
  ]);
});
