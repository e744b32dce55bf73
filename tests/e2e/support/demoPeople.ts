/* People in the README's screenshots, and what they say. The times are those of one evening in Cape Town. */

export interface DemoPerson {
  key: string;
  name: string;
  /** Status text, which everyone has, so that no screenshot shows a phone number that could be real. */
  statusMessage: string;
  presence?: 'online' | 'away' | 'busy';
}

/** People of the screenshots; the first is the one whose screens are shown. */
export const demoPeople: readonly DemoPerson[] = [
  { key: 'thandi', name: 'Thandi Nkosi', statusMessage: 'Outside until the light goes', presence: 'online' },
  { key: 'amara', name: 'Amara Dlamini', statusMessage: 'Sketching', presence: 'online' },
  { key: 'jonas', name: 'Jonas Weber', statusMessage: 'Reading, answering later', presence: 'busy' },
  { key: 'mum', name: 'Mum', statusMessage: 'The kettle is on', presence: 'online' },
  { key: 'priya', name: 'Priya Raman', statusMessage: 'On call this week', presence: 'away' },
  { key: 'sipho', name: 'Sipho Khumalo', statusMessage: 'At the theatre' },
  { key: 'lena', name: 'Lena Petersen', statusMessage: 'Back on Monday' },
  { key: 'farouk', name: 'Farouk Adams', statusMessage: 'In the workshop', presence: 'online' },
];

export interface DemoMessage {
  from: string;
  /** Time today, or on an earlier day as "-1 18:20". */
  at: string;
  text: string;
}

/** Conversations by the other person's key. The list shows the last line of each. */
export const demoConversations: Record<string, readonly DemoMessage[]> = {
  amara: [
    { from: 'amara', at: '-1 20:41', text: 'Did you see the forecast? Friday looks perfect.' },
    { from: 'thandi', at: '-1 20:44', text: 'Clear until ten, they say. I am keeping the evening free.' },
    { from: 'amara', at: '18:02', text: 'The light over the bay is going to be something tonight' },
    { from: 'amara', at: '18:02', text: 'I am leaving the studio now' },
    { from: 'thandi', at: '18:05', text: 'Twenty minutes behind you. Where shall we meet?' },
    {
      from: 'amara',
      at: '18:07',
      text: 'The second bench past the lighthouse, the one without a plaque. You can see the whole harbour from there.',
    },
    { from: 'thandi', at: '18:08', text: 'Shall I bring the good flask?' },
    { from: 'amara', at: '18:09', text: 'Always' },
    { from: 'thandi', at: '18:12', text: 'Packed, with two cups and the last of the rusks' },
    { from: 'amara', at: '18:31', text: 'Here. It is even better than last week' },
    { from: 'thandi', at: '18:33', text: 'Parking now, do not let it set without me' },
    { from: 'amara', at: '18:34', text: 'Hurry, it is turning gold' },
  ],
  mum: [
    { from: 'mum', at: '17:20', text: 'Sunday lunch at one? Your brother is bringing the children.' },
    { from: 'thandi', at: '17:48', text: 'I will be there, with the lemon tart' },
    { from: 'mum', at: '18:27', text: 'You are an angel. Bring a jersey, it will be windy.' },
  ],
  jonas: [
    { from: 'thandi', at: '15:10', text: 'The draft is in your folder, no hurry' },
    {
      from: 'jonas',
      at: '16:32',
      text: 'Read it on the train. The second chapter is the best thing you have written.',
    },
    { from: 'jonas', at: '16:33', text: 'Two small questions, but they can wait until Monday' },
  ],
  priya: [
    { from: 'priya', at: '12:04', text: 'Can we move our run to seven?' },
    { from: 'thandi', at: '12:15', text: 'Seven is better for me too' },
  ],
  farouk: [
    { from: 'thandi', at: '09:30', text: 'How is the table coming along?' },
    { from: 'farouk', at: '11:52', text: 'Second coat of oil is drying. You can fetch it on Tuesday.' },
  ],
  sipho: [{ from: 'sipho', at: '-1 15:05', text: 'Tickets are booked, row F' }],
  lena: [{ from: 'thandi', at: '-2 14:40', text: 'Happy birthday, Lena!' }],
};
