import type { DemoMessage } from './demoPeople.ts';

export interface DemoGroupMessage extends DemoMessage {
  /** Index of the line that this one replies to. */
  answers?: number;
  /** Keys of the people mentioned by their first names. */
  mentions?: readonly string[];
  /** Reactions of others, by their keys. */
  reactions?: Readonly<Record<string, string>>;
  pinned?: boolean;
}

/** Group in the README's screenshots: people who walk up the hill on Saturday. Their emoji are in every font. */
export const demoGroup = {
  name: 'Saturday walkers',
  description: 'One hill a week, and coffee after. Everybody brings their own water.',
  people: ['amara', 'jonas', 'priya', 'sipho', 'farouk'],
  messages: [
    {
      from: 'amara',
      at: '16:40',
      text: '**Saturday, 06:30** at the lower gate:\n- warm jacket, it blows on the saddle\n- two litres of water\n- Farouk brings the flask',
      pinned: true,
      reactions: { thandi: '❤️', priya: '❤️', farouk: '❤️' },
    },
    { from: 'jonas', at: '16:52', text: 'Is the contour path open again after the rain?' },
    {
      from: 'sipho',
      at: '16:58',
      text: 'Open since Tuesday. I was up there this morning, dry all the way',
      answers: 1,
      reactions: { jonas: '❤️' },
    },
    { from: 'thandi', at: '17:05', text: '@Priya can you take three in your car?', mentions: ['priya'] },
    { from: 'priya', at: '17:11', text: 'Three and a dog', answers: 3, reactions: { thandi: '❤️', amara: '😂' } },
    { from: 'thandi', at: '17:34', text: 'Then it is settled. See you at the gate' },
  ] as readonly DemoGroupMessage[],
};
