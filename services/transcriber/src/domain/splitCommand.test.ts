import { splitCommand } from './splitCommand.ts';

test.each([
  ['', []],
  ['  whisper  -m model.bin ', ['whisper', '-m', 'model.bin']],
  ['program "a file" {file}', ['program', 'a file', '{file}']],
  [`sh -c 'echo "words"'`, ['sh', '-c', 'echo "words"']],
  ['--model="my models/base"', ['--model=my models/base']],
  ['""', ['']],
])('splits the command %p', (line, words) => {
  expect(splitCommand(line)).toEqual(words);
});

test.each(['program "open', "it's"])('%p has an unclosed quote', (line) => {
  expect(splitCommand(line)).toBeUndefined();
});
