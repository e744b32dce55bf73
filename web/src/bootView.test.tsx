/** @jest-environment jsdom */
import { jest } from '@jest/globals';
import { render } from '@testing-library/react';
import { conversationIdOf, decideBootSkeleton, decideView, attachLandingHandlers } from './bootView.ts';
import type { Language } from './i18n/language.ts';
import { Landing } from './landing/Landing.tsx';
import { loginAddress, safeReturnPath } from './session/returnPath.ts';
import {
  clearMarkers,
  hasSessionMarker,
  readPhoneMarker,
  setPhoneMarker,
  setSessionMarker,
} from './session/sessionMarker.ts';
import { TestProviders } from './testing/TestProviders.tsx';

const viewOf = (path: string, hasSession = false, search = '', language: Language = 'en') =>
  decideView({ path, hasSession, search, language });

test('the landing page is for people without a marker at /', () => {
  expect(viewOf('/')).toBe('landing');
  expect(viewOf('/', true)).toBe('app');
  expect(viewOf('/contacts')).toBe('app');
  expect(viewOf('/', false, '', 'de')).toBe('app');
});

test('the frame is that of the coming screen: chats, conversation, or the phone form for those who used it', () => {
  expect(decideBootSkeleton({ path: '/', hasSession: true, phone: true })).toBe('frame');
  expect(decideBootSkeleton({ path: '/chat/01', hasSession: true, phone: true })).toBe('conversation');
  expect(decideBootSkeleton({ path: '/contacts', hasSession: true, phone: true })).toBeUndefined();
  expect(decideBootSkeleton({ path: '/contacts', hasSession: false, phone: true })).toBe('phone');
  for (const path of ['/', '/meeting/ABC234', '/privacy', '/second-person', '/nowhere']) {
    expect([path, decideBootSkeleton({ path, hasSession: false, phone: true })]).toEqual([path, undefined]);
  }
  expect(decideBootSkeleton({ path: '/contacts', hasSession: false, phone: false })).toBeUndefined();
});

test('a path names a conversation by its id, or nothing that could be requested early', () => {
  const id = '01a21db7-66c9-72f7-9fd2-02b6ada72ca2';
  expect(conversationIdOf(`/chat/${id}`)).toBe(id);
  for (const path of ['/', '/chat/01', `/chat/${id}/media`, `/chat/${id}%2F..`, `/groups/${id}`]) {
    expect(conversationIdOf(path)).toBeUndefined();
  }
});

test('the marker is in storage or in the readable cookie', () => {
  localStorage.clear();
  expect(hasSessionMarker(localStorage, '')).toBe(false);
  expect(hasSessionMarker(localStorage, 'a=b; nolo_signed_in=1')).toBe(true);
  expect(hasSessionMarker(localStorage, 'not_nolo_signed_in=1')).toBe(false);
  setSessionMarker(localStorage);
  setPhoneMarker(localStorage, '+27821234567');
  expect(hasSessionMarker(localStorage, '')).toBe(true);
  clearMarkers(localStorage);
  expect(readPhoneMarker(localStorage)).toBeNull();
});

test('the prerendered page is wired: links keep the return path, buttons open the phone form', () => {
  render(<Landing loginHref="/api/login" />, { wrapper: TestProviders });
  const openPhone = jest.fn();
  attachLandingHandlers(document, '/contacts?q=a', openPhone);
  const logins = document.querySelectorAll('a[data-login]');
  expect(logins).toHaveLength(2);
  for (const link of logins) expect(link.getAttribute('href')).toBe('/api/login?returnTo=%2Fcontacts%3Fq%3Da');
  const buttons = document.querySelectorAll<HTMLButtonElement>('button[data-open-phone]');
  expect([...buttons].map((button) => button.textContent)).toEqual(['Phone', 'Get Started with Phone']);
  for (const button of buttons) button.click();
  expect(openPhone).toHaveBeenCalledTimes(2);
});

test.each([
  ['/chat/1?x=2#y', '/chat/1?x=2#y'],
  ['//evil.example', '/'],
  ['/\\evil.example', '/'],
  ['https://evil.example', '/'],
  ['/api/logout', '/'],
  ['/apiary', '/apiary'],
])('%s is returned to as %s', (path, safe) => {
  expect(safeReturnPath(path)).toBe(safe);
});

test('home needs no return path', () => {
  expect(loginAddress('/')).toBe('/api/login');
});
