import { createHold, type Job } from '@nolo/kit/jobs';
import type { Log } from '@nolo/kit/log';

/** As identity takes it. */
export interface OwnerMail {
  tellWebhookDisabled(
    request: { id: string; userId: string; host: string; gone: boolean },
    options?: { timeoutMs?: number },
  ): Promise<unknown>;
}

/** Has identity write to the owner of a webhook that was disabled; under the job's id, so that it is one mail. */
export function tellOwner(mail: OwnerMail, log: Log) {
  const held = createHold('identity_unavailable', log);
  return async ({ id, payload }: Job<{ userId: string; host: string; gone: boolean }>): Promise<void> => {
    await held(() => mail.tellWebhookDisabled({ id, ...payload }, { timeoutMs: 10_000 }));
  };
}
