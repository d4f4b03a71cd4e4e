/** Turns the text of a powershell command into a command line that no shell on the way can misread. */

/** CreateProcess takes 32,767 characters; some are left for the program and its switches. */
const MAX_ENCODED_CHARACTERS = 32_000;

/** Statements that PowerShell accepts at the very beginning of a script only. */
const mustComeFirst =
  /^(?:\s|#[^\n]*(?:\n|$)|<#[\s\S]*?#>)*(?:param\s*\(|using\s|\[CmdletBinding)/i;

const SILENCE = "$ProgressPreference = 'SilentlyContinue'\n";

/** Switches and encoded script; undefined when the script is too long for a Windows command line. */
export function encodeScript(text: string): string | undefined {
  const script = mustComeFirst.test(text) ? text : `${SILENCE}${text}`;
  const encoded = Buffer.from(script, 'utf16le').toString('base64');
  if (encoded.length > MAX_ENCODED_CHARACTERS) return undefined;
  return `-NoProfile -NonInteractive -EncodedCommand ${encoded}`;
}

/** Windows PowerShell ends with 5.1; from 6 on the program is called pwsh. */
export function programFor(version: string | undefined): 'powershell' | 'pwsh' {
  const major = /^\s*v?(\d+)/i.exec(version ?? '')?.[1];
  return major !== undefined && Number(major) >= 6 ? 'pwsh' : 'powershell';
}
