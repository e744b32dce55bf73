import { File, FileArchive, FileCode, FileImage, FileMusic, FileSpreadsheet, FileText, FileVideo } from 'lucide-react';

const endings = {
  archive: /\.(zip|gz|tgz|xz|bz2|7z|rar|tar|zst)$/i,
  table: /\.(csv|xlsx?|ods|numbers)$/i,
  text: /\.(pdf|docx?|odt|rtf|txt|md|pages|epub)$/i,
  code: /\.(js|ts|json|html?|css|xml|py|rs|go|java|c|cpp|sh|yaml|yml)$/i,
  picture: /\.(png|jpe?g|gif|webp|avif|heic|svg|tiff?|bmp)$/i,
  video: /\.(mp4|mov|mkv|webm|avi|m4v)$/i,
  sound: /\.(mp3|m4a|ogg|opus|oga|wav|flac|aac)$/i,
};

type Kind = keyof typeof endings;

const symbols: Readonly<Record<Kind, typeof File>> = {
  archive: FileArchive,
  table: FileSpreadsheet,
  text: FileText,
  code: FileCode,
  picture: FileImage,
  video: FileVideo,
  sound: FileMusic,
};

const kinds = Object.keys(endings) as Kind[];

/** Icon for the file type, by the file name extension. */
export function FileSymbol({ name, className }: { name: string; className: string }) {
  const kind = kinds.find((one) => endings[one].test(name));
  const Symbol = kind ? symbols[kind] : File;
  return <Symbol aria-hidden="true" className={className} />;
}
