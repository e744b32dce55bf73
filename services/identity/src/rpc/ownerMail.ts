import { isId, parseId, type UserId } from '@nolo/kit/ids';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { OwnerMailServiceDefinition } from '@nolo/proto/ownerMail';
import { createWebhookDisabledMail } from '../domain/ownerMail.ts';
import type { AccountStore } from '../domain/ports.ts';
import { toReaderLocale } from '../domain/readers.ts';
import type { OutgoingMail } from '../domain/securityPorts.ts';
import { createIdentityError } from '../errors.ts';

export interface OwnerMailDependencies {
  readonly accounts: Pick<AccountStore, 'find'>;
  /** Adds an email unless one with this ID exists. */
  readonly addMail: (id: string, mail: OutgoingMail) => Promise<void>;
}

/** Host names are the only external input in an email, so anything else is refused. */
const isHost = (text: string): boolean => URL.canParse(`https://${text}`) && new URL(`https://${text}`).host === text;

export function notifyWebhookDisabled({
  accounts,
  addMail,
}: OwnerMailDependencies): RpcHandler<typeof OwnerMailServiceDefinition.methods.notifyWebhookDisabled> {
  return async ({ id, userId: to, host = '', gone = false }) => {
    const userId = parseId<UserId>(to);
    if (!isId(id) || userId === undefined || !isHost(host)) {
      throw createIdentityError('invalid', 'invalid_request', 'No email is sent for this.');
    }
    const account = await accounts.find(userId);
    if (account?.email) {
      const mail = createWebhookDisabledMail({ host, gone }, toReaderLocale(account).language);
      await addMail(id, { to: account.email, ...mail });
    }
    return {};
  };
}
