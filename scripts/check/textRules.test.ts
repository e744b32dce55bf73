import { findTextProblems } from './textRules.ts';

function findIn(path: string, text: string, checkout = '/srv/build/nolo') {
  return findTextProblems([{ path, text }], checkout);
}

// The words are assembled here so that this file does not match its own rules.
const join = (...parts: string[]) => parts.join('');

describe('findTextProblems', () => {
  it('accepts ordinary code', () => {
    expect(findIn('services/chat/src/app.ts', "import { a } from './a.ts';\nexport const b = clock.now();\n")).toEqual(
      [],
    );
  });

  it.each([
    ['package-lock.json', '      "resolved": "https://packages.example.org/a/-/a-1.0.0.tgz",', /registry/],
    ['README.md', join('cd /ho', 'me/someone/nolo'), /personal machine/],
    ['docs/operating/backup.md', join('cp /srv/bu', 'ild/other/file .'), /this machine/],
    ['services/chat/src/app.ts', join('<'.repeat(7), ' HEAD'), /merge conflict/],
    ['services/chat/src/app.ts', join('// TO', 'DO: later'), /unfinished/],
    ['web/src/app/App.tsx', join('// oxlint-dis', 'able-next-line no-console'), /without a reason/],
    ['web/src/app/App.tsx', join('// @ts-expect-', 'error'), /without a reason/],
    ['web/src/app/App.test.tsx', join('it.on', "ly('x', () => {})"), /focused/],
    ['web/src/app/App.test.tsx', join('it.sk', "ip('x', () => {})"), /Skipped:/],
    ['tests/e2e/chat.test.ts', join('await page.waitFor', 'Timeout(500)'), /Sleeps:/],
    ['tests/e2e/chat.test.ts', join('await new Promise((done) => set', 'Timeout(done, 500));'), /Sleeps:/],
    ['services/chat/src/rpc/sendMessage.ts', 'const now = new Date();', /Clock/],
    ['web/src/chat/list/RowMenu.tsx', 'const now = Date.now();', /serverNow/],
    ['services/chat/src/domain/a.ts', 'image.altText.slice(0, limits.altText)', /cutText/],
    ['web/src/social/PostCard.tsx', 'label={said.slice(0, nameLength)}', /cutText/],
    ['web/src/search/a.ts', 'const asked = search.trim().slice(0, limits.searchQueryLength);', /cutText/],
    ['services/identity/src/a.ts', 'error.message.substring(0, 1_000)', /cutText/],
    ['web/src/chat/a.ts', 'bare.text.slice(-20)', /cutText/],
  ])('finds the problem in %s: %s', (path, text, message) => {
    const problems = findIn(path, `first line\n${text}\n`);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(`${path}:2:`);
    expect(problems[0]).toMatch(message);
  });

  it.each([
    'const names = people.names.slice(0, 10);',
    'text.slice(0, at) + text.slice(end)',
    'name.slice(prefix.length)',
    "typed.replace(/\\D/g, '').slice(0, codeLength)",
    'const detail = stack.slice(0, 300); // Cuts: a stack trace, which JSON escapes',
    'line.slice(0, maxLength) // Cuts: an address, which is ASCII',
  ])('accepts a cut of text that people did not write: %s', (line) => {
    expect(findIn('web/src/a.ts', line)).toEqual([]);
  });

  it('accepts a skipped test, a wait, a clock and a disabled check that give a reason', () => {
    expect(findIn('web/src/a.ts', '// Clock: the device’s own.\nconst now = Date.now();')).toEqual([]);
    expect(findIn('tests/e2e/a.test.ts', join('// Skipped: needs a camera\n', 'it.sk', "ip('x', () => {});"))).toEqual(
      [],
    );
    expect(
      findIn('tests/e2e/a.test.ts', join('await sl', 'eep(5); // Sleeps: the lease of the server has to run out')),
    ).toEqual([]);
    expect(
      findIn('web/src/a.ts', join('// oxlint-dis', 'able-next-line no-console -- the one place that may print')),
    ).toEqual([]);
  });

  it("ignores the checkout's folder where it is irrelevant", () => {
    expect(findIn('README.md', 'Logs go to /tmp/nolo.log', '/tmp/nolo')).toEqual([]);
  });
});
