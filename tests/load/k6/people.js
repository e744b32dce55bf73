import http from 'k6/http';
import { check, fail } from 'k6';

export const baseUrl = __ENV.BASE_URL || 'http://localhost:8080';

const json = { 'content-type': 'application/json' };

/** Returns the code that the demo mode shows to everyone; an instance without it cannot be measured from outside. */
export function demoCode() {
  const { demoCode: code } = http.get(`${baseUrl}/api/config`).json();
  if (!code) fail('This instance shows no demo code, so nobody can sign in from here.');
  return code;
}

/** Returns a South African mobile number for each index of this run, very likely unused. */
export function phoneOf(index) {
  const run = Number(__ENV.RUN || 0) % 100;
  return `+2782${String(run).padStart(2, '0')}${String(index % 100000).padStart(5, '0')}`;
}

/** Signs in as a user on a new device does: requests a code and submits it. */
export function signIn(phoneNumber, code) {
  // Signing in with the cookie of an earlier session ends that session, so each user has a device of their own.
  const jar = new http.CookieJar();
  const sent = http.post(`${baseUrl}/api/verification/send`, JSON.stringify({ type: 'sms', phoneNumber }), {
    headers: json,
    jar,
    tags: { name: 'sendCode' },
  });
  const verified = http.post(`${baseUrl}/api/verification/verify`, JSON.stringify({ type: 'sms', phoneNumber, code }), {
    headers: json,
    jar,
    tags: { name: 'verifyCode' },
  });
  const done = check(verified, { 'signed in': (reply) => sent.status < 300 && reply.status < 300 });
  if (!done) fail(`${phoneNumber} was not signed in: ${sent.status} ${verified.status} ${verified.body}`);
  const { user, token } = verified.json();
  return { id: user.id, token };
}

/** Sends a request of a signed-in user; `name` groups the addresses of one route. */
export function call(person, method, path, name, body) {
  return http.request(method, `${baseUrl}${path}`, body === undefined ? null : JSON.stringify(body), {
    headers: { ...json, authorization: `Bearer ${person.token}` },
    tags: { name },
  });
}
