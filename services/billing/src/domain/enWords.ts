import type { BillingWords } from './words.ts';

const where = (origin: string) => `See your plan and payments at ${origin}/profile.`;

/** English texts of this service for people. */
export const enWords: BillingWords = {
  letters: {
    receipt: ({ receipt, origin }) => ({
      subject: `Receipt ${receipt}`,
      lines: ['Thank you. Your payment has arrived, and your receipt is attached.', where(origin)],
    }),
    reminder: ({ what, day, origin }) => ({
      subject: day === undefined ? `${what} ends soon` : `${what} ends on ${day}`,
      lines: [
        `${day === undefined ? `${what} ends soon.` : `${what} is paid until ${day}.`} You won’t be charged automatically: to keep it, pay for the next 30 days.`,
        where(origin),
      ],
    }),
    grace: ({ what, day, origin }) => ({
      subject: `${what} has ended`,
      lines: [
        `${what} is no longer paid for. You keep everything until ${day}; after that, the Free plan’s limits apply. Nothing you stored is deleted.`,
        where(origin),
      ],
    }),
    ended: ({ what, origin }) => ({
      subject: `${what} is over`,
      lines: [`${what} is over, and the Free plan’s limits now apply. Nothing you stored is deleted.`, where(origin)],
    }),
    invitation: ({ who, origin }) => ({
      subject: 'You’re invited to Nolo',
      lines: [`${who} invites you to Nolo: ${origin}/`],
    }),
    seat: ({ who, origin }) => ({
      subject: 'You’ve been offered a seat',
      lines: [
        `${who} offers you a seat in their Business plan.`,
        'If you take it, they see how much of the plan you use, how many devices you’re signed in on, and the day you last used Nolo. They never see what you write or store.',
        `Accept or decline it at ${origin}/team.`,
      ],
    }),
  },
  bought: {
    plus: 'Your Plus plan',
    business: 'Your Business plan',
    storage: 'Your storage add-on',
    transcription: 'Your transcription pack',
  },
  boughtAnything: 'Your plan',
  somebody: 'Someone',
  items: {
    plus: 'Nolo Plus, 30 days',
    business: 'Nolo Business, 30 days',
    storage: 'Storage add-on (20 GB), 30 days',
    transcription: 'Transcription pack (100 hours), 30 days',
  },
  seats: (count) => (count === 1 ? '1 seat' : `${count} seats`),
  receipt: {
    title: 'Receipt',
    file: (number) => `receipt-${number}.pdf`,
    number: (number) => `Number: ${number}`,
    date: (day) => `Date: ${day}`,
    paid: (day, gateway) => `Paid: ${day} with ${gateway}`,
    buyer: (buyer) => `To: ${buyer}`,
    credit: 'Credit for unused days',
    total: 'Total paid',
    includes: (tax, percent) => `Includes ${tax} ${percent}`,
  },
};
