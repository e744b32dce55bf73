const itemWords: Readonly<Record<string, string>> = {
  plus: 'Your Plus plan',
  business: 'Your Business plan',
  storage: 'Your storage add-on',
  transcription: 'Your transcription pack',
};

export interface MailSubject {
  readonly about: 'receipt' | 'reminder' | 'grace' | 'ended' | 'invitation' | 'seat';
  /** Of the person whose affair it is: who invites, or offers the seat. */
  readonly name: string;
  readonly item?: string | undefined;
  /** An ISO time. */
  readonly at?: string | undefined;
  readonly receipt?: string | undefined;
  readonly origin: string;
}

/** What people are told by mail, in the templates of this file alone. */
export function mailFor({ about, name, item = '', at = '', receipt = '', origin }: MailSubject): {
  subject: string;
  text: string;
} {
  const what = itemWords[item] ?? 'Your plan';
  const day = at.slice(0, 10);
  const where = `You can look at it at ${origin}/profile.`;
  const who = name === '' ? 'Somebody' : name;
  const [subject, ...lines] = {
    receipt: [`Receipt ${receipt}`, 'Thank you. Your payment has arrived, and the receipt is attached.', where],
    reminder: [
      `${what} ends on ${day}`,
      `${what} is paid for until ${day}. Nothing is charged by itself: to go on, pay for the next 30 days.`,
      where,
    ],
    grace: [
      `${what} has ended`,
      `${what} is not paid for any more. Everything goes on as before until ${day}; after that the limits of the free plan hold. Nothing that you stored is taken away.`,
      where,
    ],
    ended: [
      `${what} is over`,
      `${what} is over, and the limits of the free plan hold. Nothing that you stored is taken away.`,
      where,
    ],
    invitation: ['You are invited to Nolo', `${who} invites you to Nolo: ${origin}/`],
    seat: [
      'A seat for you',
      `${who} offers you a seat of their Business plan.`,
      'Whoever takes it shows them how much is used of the plan, on how many devices one is signed in and the day of the last use, and never what is written or kept.',
      `You can take it or decline at ${origin}/team.`,
    ],
  }[about];
  return { subject: subject ?? '', text: `${lines.join('\n\n')}\n` };
}
