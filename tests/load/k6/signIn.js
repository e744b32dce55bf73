// New users sign in by phone, enter their name and open their empty list of conversations.
import exec from 'k6/execution';
import { check } from 'k6';
import { call, demoCode, phoneOf, signIn } from './people.js';

export const options = {
  scenarios: {
    newcomers: {
      executor: 'constant-arrival-rate',
      exec: 'newcomer',
      rate: Number(__ENV.RATE || 5),
      timeUnit: '1s',
      duration: __ENV.DURATION || '30s',
      preAllocatedVUs: 20,
      maxVUs: 100,
    },
  },
  thresholds: {
    checks: ['rate==1'],
    http_req_failed: ['rate<0.00025'],
    http_req_duration: ['avg<100', 'p(99)<2000'],
    'http_req_duration{name:verifyCode}': ['p(95)<500'],
    dropped_iterations: ['count==0'],
  },
};

export function setup() {
  return { code: demoCode() };
}

export function newcomer({ code }) {
  const person = signIn(phoneOf(50000 + exec.scenario.iterationInTest), code);
  const named = call(person, 'PUT', '/api/profile', 'updateProfile', { firstName: 'Load', lastName: 'Newcomer' });
  const list = call(person, 'GET', '/api/conversations', 'listConversations');
  check(named, { 'has a name': (reply) => reply.status === 200 });
  check(list, { 'has no conversations yet': (reply) => reply.status === 200 && reply.json().length === 0 });
}
