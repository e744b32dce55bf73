import type { BillingWords } from './words.ts';

const where = (origin: string) => `You can look at it at ${origin}/profile.`;

/** What this service writes to people, in English. */
export const enWords: BillingWords = {
  letters: {
    receipt: ({ receipt, origin }) => ({
      subject: `Receipt ${receipt}`,
      lines: ['Thank you. Your payment has arrived, and the receipt is attached.', where(origin)],
    }),
    reminder: ({ what, day, origin }) => ({
      subject: day === undefined ? `${what} ends soon` : `${what} ends on ${day}`,
      lines: [
        `${day === undefined ? `${what} ends soon.` : `${what} is paid for until ${day}.`} Nothing is charged by itself: to go on, pay for the next 30 days.`,
        where(origin),
      ],
    }),
    grace: ({ what, day, origin }) => ({
      subject: `${what} has ended`,
      lines: [
        `${what} is not paid for any more. Everything goes on as before until ${day}; after that the limits of the free plan hold. Nothing that you stored is taken away.`,
        where(origin),
      ],
    }),
    ended: ({ what, origin }) => ({
      subject: `${what} is over`,
      lines: [
        `${what} is over, and the limits of the free plan hold. Nothing that you stored is taken away.`,
        where(origin),
      ],
    }),
    invitation: ({ who, origin }) => ({
      subject: 'You are invited to Nolo',
      lines: [`${who} invites you to Nolo: ${origin}/`],
    }),
    seat: ({ who, origin }) => ({
      subject: 'A seat for you',
      lines: [
        `${who} offers you a seat of their Business plan.`,
        'Whoever takes it shows them how much is used of the plan, on how many devices one is signed in and the day of the last use, and never what is written or kept.',
        `You can take it or decline at ${origin}/team.`,
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
  somebody: 'Somebody',
  items: {
    plus: 'Nolo Plus, 30 days',
    business: 'Nolo Business, 30 days',
    storage: 'Storage add-on of 20 GB, 30 days',
    transcription: 'Transcription pack of 100 hours, 30 days',
  },
  seats: (count) => (count === 1 ? '1 seat' : `${count} seats`),
  receipt: {
    title: 'Receipt',
    file: (number) => `receipt-${number}.pdf`,
    number: (number) => `Number: ${number}`,
    date: (day) => `Date: ${day}`,
    paid: (day, gateway) => `Paid: ${day} by ${gateway}`,
    buyer: (buyer) => `To: ${buyer}`,
    credit: 'Credit for unused days',
    total: 'Total paid',
    includes: (tax, percent) => `Includes ${tax} ${percent}`,
  },
};
