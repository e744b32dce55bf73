import type { Job } from '@nolo/kit/jobs';

/** As identity takes it. */
export interface OwnerMail {
  tellWebhookDisabled(
    request: { id: string; userId: string; host: string; gone: boolean },
    options?: { timeoutMs?: number },
  ): Promise<unknown>;
}

/** Has identity write to the owner of a webhook that was disabled; under the job's id, so that it is one mail. */
export function tellOwner(mail: OwnerMail) {
  return async ({ id, payload }: Job<{ userId: string; host: string; gone: boolean }>): Promise<void> => {
    await mail.tellWebhookDisabled({ id, ...payload }, { timeoutMs: 10_000 });
  };
}
