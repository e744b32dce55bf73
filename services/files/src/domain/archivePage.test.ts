import { archivePage, pathOfFile, type ArchiveContents, type ArchivedFile } from './archivePage.ts';

const id = '0199aaaa-0000-7000-8000-000000000001';

test.each([
  ['Report.PDF', `files/${id}-Report.PDF`],
  ['', `files/${id}`],
  ['../../etc/passwd', `files/${id}-_.._etc_passwd`],
  ['a\\b:c*?"<>|\u0000.txt', `files/${id}-a_b_c_______.txt`],
  ['trailing. ', `files/${id}-trailing`],
  ['x'.repeat(300), `files/${id}-${'x'.repeat(120)}`],
  [`${'a'.repeat(115)}😀.txt`, `files/${id}-${'a'.repeat(115)}.txt`],
])('a file named %j gets a path that every system supports', (name, path) => {
  expect(pathOfFile({ id, name })).toBe(path);
});

async function pageOf(contents: Partial<ArchiveContents>, files: ArchivedFile[] = []): Promise<string> {
  const listed = (async function* () {
    yield* files;
  })();
  const whole = {
    language: 'en' as const,
    madeAt: new Date('2026-11-26T10:00:00Z'),
    data: [{ path: 'messages.jsonl', count: 50_000 }],
    files: { count: files.length, bytes: 2_000_000 },
    ...contents,
  };
  let page = '';
  for await (const text of archivePage(whole, listed)) page += text;
  return page;
}

test('the page links to what is in the archive, has no scripts and fetches nothing', async () => {
  const page = await pageOf({}, [{ path: `files/${id}-a b#1.txt`, name: '<img src=x>', size: 1_500 }]);
  expect(page).toContain(`<a href="files/${id}-a%20b%231.txt"><bdi>&#60;img src=x&#62;</bdi></a>`);
  expect(page).toContain('50,000');
  expect(page).not.toMatch(/<script|<img|https?:/);
});

test("the page is in the person's language, and states if there are no files", async () => {
  const page = await pageOf({ language: 'de' });
  expect(page).toContain('lang="de"');
  expect(page).toContain('50.000');
  expect(page).toContain('Es gibt keine Dateien.');
});

test('a page is created whatever the file names are', async () => {
  for (const name of [`${'a'.repeat(99)}😀.txt`, 'half \ud83d.txt', `${'😀'.repeat(300)}`, '\udc00'.repeat(200)]) {
    const path = pathOfFile({ id, name });
    expect(await pageOf({}, [{ path, name, size: 1 }])).toContain(`<a href="files/${id}`);
    // The path was created in a different way.
    expect(await pageOf({}, [{ path: `files/${name}`, name, size: 1 }])).toContain('<a href="files/');
  }
});
