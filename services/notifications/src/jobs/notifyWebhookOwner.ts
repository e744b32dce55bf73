import { createHoldWhileUnavailable, type Job } from '@nolo/kit/jobs';
import type { Log } from '@nolo/kit/log';

/** Part of identity's interface for emailing owners. */
export interface WebhookOwnerMailer {
  notifyWebhookDisabled(
    request: { id: string; userId: string; host: string; gone: boolean },
    options?: { timeoutMs?: number },
  ): Promise<unknown>;
}

/** Asks identity to email the owner of a disabled webhook. Uses the job's ID, so only one email is sent. */
export function notifyWebhookOwner(mail: WebhookOwnerMailer, log: Log) {
  const holdIfUnavailable = createHoldWhileUnavailable('identity_unavailable', log);
  return async ({ id, payload }: Job<{ userId: string; host: string; gone: boolean }>): Promise<void> => {
    await holdIfUnavailable(() => mail.notifyWebhookDisabled({ id, ...payload }, { timeoutMs: 10_000 }));
  };
}
