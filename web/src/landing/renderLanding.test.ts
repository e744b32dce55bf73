import { builtFeatures } from '@nolo/rules';
import { renderSkeletonTemplates, renderLanding } from './renderLanding.tsx';

const page = renderLanding();
const frames = renderSkeletonTemplates();

test('the prerendered page has no inline style, script or handler', () => {
  expect(page + frames).not.toMatch(/\sstyle=|<script|<style|\son[a-z]+=/);
});

test('the page shows the words of the specification and both ways to sign in', () => {
  for (const words of [
    'Get Started with Phone',
    'Traditional Sign In',
    'End-to-End Encrypted',
    'Real-time Messaging',
    'Group Meetings',
  ]) {
    expect(page).toContain(words);
  }
  expect(page).toContain('href="/api/login"');
});

test('the page states what is unfinished, and nothing else', () => {
  expect(page.includes('In development')).toBe(!builtFeatures.endToEndEncryption);
  expect(page.includes('stored on the server')).toBe(!builtFeatures.endToEndEncryption);
  expect(page.includes('Planned')).toBe(!builtFeatures.meetings);
});

test('the frames of the first screens exist in each language, visible but inert', () => {
  const [english = '', conversation = '', phone = '', german = '', , germanPhone = ''] = frames.split('</template>');
  expect(english).toMatch(/^<template id="frame-en"><div aria-hidden="true" inert="" /);
  expect(english).toContain('placeholder="Search conversations..."');
  expect(english).toContain('Select a conversation');
  expect(conversation).toMatch(/^<template id="conversation-en"><div aria-hidden="true" inert="" /);
  expect(conversation).not.toContain('Select a conversation');
  expect(conversation).toContain('placeholder="Type a message..."');
  expect(phone).toMatch(/^<template id="phone-en"><div aria-hidden="true" inert="" /);
  expect(phone).toContain('Sign in with your phone');
  expect(germanPhone).toMatch(/^<template id="phone-de">/);
  expect(german).toMatch(/^<template id="frame-de">/);
  expect(german).toContain('placeholder="Chats durchsuchen\u00a0…"');
});
