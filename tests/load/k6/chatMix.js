// Pairs of users who talk: most read, some write, all have a socket open, and each message is timed until it reaches
// the other one.
import { check, sleep } from 'k6';
import { Counter, Trend } from 'k6/metrics';
import { WebSocket } from 'k6/websockets';
import { baseUrl, call, demoCode, phoneOf, signIn } from './people.js';

const pairs = Number(__ENV.PAIRS || 25);
const seconds = Number(__ENV.SECONDS || 40);

const arrival = new Trend('message_arrival', true);
const written = new Counter('messages_written');
const arrived = new Counter('messages_arrived');

export const options = {
  setupTimeout: '120s',
  scenarios: {
    talk: {
      executor: 'per-vu-iterations',
      exec: 'talk',
      vus: pairs * 2,
      iterations: 1,
      maxDuration: `${seconds + 60}s`,
    },
    browse: {
      executor: 'constant-vus',
      exec: 'browse',
      vus: pairs,
      duration: `${seconds}s`,
    },
  },
  thresholds: {
    checks: ['rate>0.999'],
    http_req_failed: ['rate<0.00025'],
    // Limits that Mattermost calls healthy.
    http_req_duration: ['avg<100', 'p(99)<2000'],
    message_arrival: ['p(95)<500', 'p(99)<2000'],
    messages_arrived: ['count>0'],
  },
};

export function setup() {
  const code = demoCode();
  const conversations = [];
  for (let index = 0; index < pairs; index += 1) {
    const people = [signIn(phoneOf(index * 2), code), signIn(phoneOf(index * 2 + 1), code)];
    const made = call(people[0], 'POST', '/api/conversations', 'startConversation', { otherUserId: people[1].id });
    const { id } = made.json();
    // Accepts the conversation; otherwise the first message would be a request.
    call(people[1], 'PATCH', `/api/conversations/${id}/settings`, 'acceptConversation', { accepted: true });
    conversations.push({ id, people });
  }
  return conversations;
}

/** Simulates one of a pair, with a socket open all the time, who writes every few seconds as people do. */
export function talk(conversations) {
  const index = (__VU - 1) % (pairs * 2);
  const conversation = conversations[Math.floor(index / 2)];
  const self = conversation.people[index % 2];
  const socket = new WebSocket(`${baseUrl.replace('http', 'ws')}/ws`, null, {
    headers: { authorization: `Bearer ${self.token}` },
  });
  let timer;
  const write = () => {
    socket.send(JSON.stringify({ type: 'typing_start', data: { conversationId: conversation.id } }));
    const reply = call(self, 'POST', '/api/messages', 'sendMessage', {
      conversationId: conversation.id,
      content: `${Date.now()} said by one of the pair`,
    });
    if (check(reply, { stored: ({ status }) => status === 201 })) written.add(1);
    timer = setTimeout(write, 1000 + Math.random() * 4000);
  };
  socket.addEventListener('message', ({ data }) => {
    const frame = JSON.parse(data);
    if (frame.type === 'hello') {
      socket.send(JSON.stringify({ type: 'join_conversation', data: { conversationId: conversation.id } }));
      timer = setTimeout(write, Math.random() * 3000);
      setTimeout(() => clearTimeout(timer), seconds * 1000);
      setTimeout(() => socket.close(), (seconds + 3) * 1000);
    }
    if (frame.type === 'new_message' && frame.data.senderId !== self.id) {
      arrived.add(1);
      arrival.add(Date.now() - Number(frame.data.content.split(' ')[0]));
      const path = `/api/conversations/${conversation.id}/cursor`;
      call(self, 'PUT', path, 'moveCursor', { deliveredSeq: frame.data.seq, readSeq: frame.data.seq });
    }
  });
  socket.addEventListener('error', ({ error }) => check(error, { 'socket without error': () => false }));
}

/** Simulates a user who opens the app repeatedly: the list, a conversation, its history, and changes. */
export function browse(conversations) {
  const conversation = conversations[(__VU - 1) % pairs];
  const self = conversation.people[0];
  const path = `/api/conversations/${conversation.id}`;
  const replies = [
    call(self, 'GET', '/api/auth/user', 'self'),
    call(self, 'GET', '/api/conversations', 'listConversations'),
    call(self, 'GET', `${path}/messages`, 'listMessages'),
    call(self, 'GET', `${path}/changes?since=0`, 'listChanges'),
    call(self, 'GET', '/api/contacts', 'listContacts'),
  ];
  for (const reply of replies) check(reply, { read: ({ status }) => status === 200 });
  sleep(0.5 + Math.random());
}
