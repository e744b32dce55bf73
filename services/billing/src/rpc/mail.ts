import { parseActorId } from '@nolo/kit/ids';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { BillingServiceDefinition } from '@nolo/proto/billing';
import { createBillingError } from '../errors.ts';
import type { Dependencies, MailRequest } from './dependencies.ts';
import { parseUuid } from './parse.ts';

const purposes = ['invitation', 'receipt', 'reminder'] as const;
const isPurpose = (text: string): text is MailRequest['about'] => purposes.some((purpose) => purpose === text);

/** Pattern of a single address, which no mail server treats as several. */
const address = /^[^\s@<>,;:"()[\]\\]+@[^\s@<>,;:"()[\]\\]+\.[^\s@<>,;:"()[\]\\]+$/;

export function sendMail({
  addMail,
  canMail,
  limitMail,
  payments,
  publicUrl,
}: Dependencies): RpcHandler<typeof BillingServiceDefinition.methods.sendMail> {
  return async ({ actorId, purpose: about, to, orderId }) => {
    const userId = parseActorId(actorId);
    if (!isPurpose(about))
      throw createBillingError('invalid', 'mail_purpose_unknown', 'No email is sent for this purpose.');
    if (to.length > 254 || !address.test(to))
      throw createBillingError('invalid', 'mail_address_invalid', 'Enter a valid email address.');
    if (!canMail) throw createBillingError('unavailable', 'mail_unavailable', 'This installation does not send email.');
    const order = about === 'receipt' ? await payments.mustFind(userId, parseUuid('order_id', orderId)) : undefined;
    await limitMail(userId);
    // Links always lead to this installation, regardless of the caller.
    await addMail({ userId, about, to, origin: publicUrl, ...(order && { orderId: order.id }) });
    return {};
  };
}
