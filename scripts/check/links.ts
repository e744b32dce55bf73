import { posix } from 'node:path';
import type { TextFile } from './trackedFiles.ts';

/** Returns the anchors of a page's headings, as GitHub and GitLab make them; a repeated heading gets a number. */
export function anchorsOf(markdown: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of withoutCode(markdown).matchAll(/^#+ (.+)$/gm)) {
    const anchor = heading
      .toLowerCase()
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(/\s/g, '-');
    let unique = anchor;
    for (let count = 1; anchors.has(unique); count += 1) unique = `${anchor}-${count}`;
    anchors.add(unique);
  }
  return anchors;
}

const withoutCode = (markdown: string): string => markdown.replaceAll(/^( *)(```+)[^\n]*\n[\s\S]*?^\1\2$/gm, '');

/** Reports every relative link in a Markdown file that leads to no tracked file, or to no heading of a page. */
export function findBrokenLinks(files: readonly TextFile[], paths: ReadonlySet<string>): string[] {
  const pages = new Map(files.filter(({ path }) => path.endsWith('.md')).map(({ path, text }) => [path, text]));
  const folders = new Set([...paths].flatMap((path) => parentsOf(path)));
  return [...pages].flatMap(([path, text]) =>
    linksOf(text).flatMap((link) => {
      const [target = '', anchor] = link.split('#');
      const aim = target === '' ? path : posix.join(posix.dirname(path), decodeURIComponent(target)).replace(/\/$/, '');
      if (!paths.has(aim) && !folders.has(aim)) return [`${path}: nothing is at ${link}.`];
      const page = pages.get(aim);
      return anchor === undefined || page === undefined || anchorsOf(page).has(anchor)
        ? []
        : [`${path}: ${aim} has no heading for ${link}.`];
    }),
  );
}

/** Returns the targets of links and pictures that lead nowhere on the web. */
function linksOf(markdown: string): string[] {
  const prose = withoutCode(markdown).replaceAll(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)(?: "[^"]*")?\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z][a-z+.-]*:/.test(target));
}

function parentsOf(path: string): string[] {
  const parts = path.split('/');
  return parts.slice(0, -1).map((_, index) => parts.slice(0, index + 1).join('/'));
}
