/** Block of a notice. Operators write plain text: `# ` and `## ` start headings, `- ` a list item. */
export type NoticeBlock = { kind: 'title' | 'heading' | 'text'; text: string } | { kind: 'list'; items: string[] };

/** Parses a notice. Blank lines separate paragraphs. Its text never becomes markup of the page. */
export function readNotice(text: string): NoticeBlock[] {
  const blocks: NoticeBlock[] = [];
  for (const paragraph of text.split(/\n\s*\n/)) {
    const lines = paragraph.split('\n').flatMap((line) => line.trim() || []);
    const [first = ''] = lines;
    if (first === '') continue;
    if (first.startsWith('# ')) blocks.push({ kind: 'title', text: first.slice(2) });
    else if (first.startsWith('## ')) blocks.push({ kind: 'heading', text: first.slice(3) });
    else if (lines.every((line) => line.startsWith('- '))) {
      blocks.push({ kind: 'list', items: lines.map((line) => line.slice(2)) });
    } else blocks.push({ kind: 'text', text: lines.join(' ') });
  }
  return blocks;
}
