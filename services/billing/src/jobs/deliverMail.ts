import { createHoldWhileUnavailable, ParkJobError, type Job } from '@nolo/kit/jobs';
import type { UserId } from '@nolo/kit/ids';
import type { Log } from '@nolo/kit/log';
import type { z } from 'zod';
import { composeMail } from '../domain/mails.ts';
import type { OrderStore, PeopleDirectory } from '../domain/ports.ts';
import type { mailQueue } from '../domain/queues.ts';
import { BillingMailRefusedError, type MailSender } from '../mail/mail.ts';
import { receiptFileName, renderReceiptPdf } from '../mail/renderReceiptPdf.ts';
import type { BillingMetrics } from '../metrics.ts';

type Payload = z.output<(typeof mailQueue)['payload']>;

interface Dependencies {
  /** Email sender. Undefined if none is configured: emails are dropped. */
  readonly sender: MailSender | undefined;
  readonly people: PeopleDirectory;
  readonly orders: OrderStore;
  readonly publicUrl: string;
  readonly metrics: Pick<BillingMetrics, 'mails'>;
  readonly log: Log;
}

/** Sends one email to one person, at their address in identity or at one they chose. */
export function deliverMail({ sender, people, orders, publicUrl, metrics, log }: Dependencies) {
  const holdIfUnavailable = createHoldWhileUnavailable('identity_unavailable', log);
  const find = (userId: string) => holdIfUnavailable(() => people.find(userId as UserId));
  return async ({ payload }: Job<Payload>): Promise<void> => {
    const person = await find(payload.userId);
    const receipt = payload.orderId === undefined ? undefined : await orders.findReceipt(payload.orderId);
    const to = payload.to ?? (person?.email || (receipt?.content.buyer.email ?? ''));
    if (!sender || !person || to === '' || (payload.about === 'receipt' && !receipt)) {
      metrics.mails.inc({ outcome: 'dropped' });
      return;
    }
    const teller = payload.from === undefined ? person : await find(payload.from);
    const name = teller ? `${teller.firstName} ${teller.lastName}`.trim() : '';
    // The language of a recipient known only by address is unknown, so the email uses the requester's.
    const { reader } = person;
    const origin = payload.origin ?? publicUrl;
    const mail = composeMail({ ...payload, name, origin, receipt: receipt?.number }, reader);
    const pdf = receipt && (await renderReceiptPdf(receipt, reader));
    const attachments =
      pdf && receipt ? [{ name: receiptFileName(receipt.number, reader), type: 'application/pdf', bytes: pdf }] : [];
    try {
      await sender.send({ to, ...mail, attachments });
      metrics.mails.inc({ outcome: 'sent' });
    } catch (error) {
      const isRefused = error instanceof BillingMailRefusedError;
      metrics.mails.inc({ outcome: isRefused ? 'refused' : 'failed' });
      if (!isRefused) throw error;
      log.warn({ err: error, about: payload.about }, 'email refused');
      throw new ParkJobError('mail_refused');
    }
  };
}
