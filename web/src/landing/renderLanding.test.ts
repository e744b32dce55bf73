import { builtFeatures } from '@nolo/rules';
import { renderLanding } from './renderLanding.tsx';

const page = renderLanding();

test('the prerendered page carries no inline style, script or handler', () => {
  expect(page).not.toMatch(/\sstyle=|<script|<style|\son[a-z]+=/);
});

test('it shows the specification’s words and both ways in', () => {
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

test('it says what is not finished, and nothing else', () => {
  expect(page.includes('In development')).toBe(!builtFeatures.endToEndEncryption);
  expect(page.includes('kept on the server')).toBe(!builtFeatures.endToEndEncryption);
  expect(page.includes('Planned')).toBe(!builtFeatures.meetings);
});
