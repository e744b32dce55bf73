import { formatContentDisposition } from './contentDisposition.ts';

test.each([
  ['', 'attachment'],
  ['report.pdf', 'attachment; filename="report.pdf"'],
  ['Größe.pdf', `attachment; filename="Gr__e.pdf"; filename*=UTF-8''Gr%C3%B6%C3%9Fe.pdf`],
  ['a"b.txt', `attachment; filename="a_b.txt"; filename*=UTF-8''a%22b.txt`],
  ['50%.txt', `attachment; filename="50_.txt"; filename*=UTF-8''50%25.txt`],
  ["it's (1).txt", 'attachment; filename="it\'s (1).txt"'],
  ['../../etc/passwd', 'attachment; filename="passwd"'],
  ['C:\\temp\\x.exe', 'attachment; filename="x.exe"'],
  ['a\r\nSet-Cookie: b=c', 'attachment; filename="aSet-Cookie: b=c"'],
  ['\u202egpj.exe', 'attachment; filename="gpj.exe"'],
  ['..', 'attachment; filename="file"'],
])('encodes the file name %p', (name, header) => {
  expect(formatContentDisposition('attachment', name)).toBe(header);
});
