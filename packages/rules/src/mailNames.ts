/** Full stops of other scripts, which browsers and mail programs take for those of host names (UTS 46). */
const fullStops = /[\u3002\uff0e\uff61]/gu;

/** An address with a scheme, a mail address, or what reads as a host name: mail programs make links of all of them. */
const address = /^[a-z][a-z\d+.-]*:\S|@|[\p{L}\p{N}_-]\.[\p{L}\p{N}-]*\p{L}[\p{L}\p{N}-]|\d\.\d+\.\d/iu;

/**
 * Returns a person's name for a mail of ours, without words that mail programs would make a link of: otherwise a name would
 * make our mail advertise an address. Empty if nothing else is left.
 */
export function nameInMail(name: string): string {
  return name
    .split(/\s+/u)
    .filter((word) => !address.test(word.normalize('NFKC').replace(fullStops, '.')))
    .join(' ');
}
