import TurndownService from 'turndown';

declare const self: Worker;

export type MarkdownReply = { markdown: string; isCut: boolean } | { failure: string };

/** After everything that is never shown was taken out. */
const MAX_HTML_CHARACTERS = 1_000_000;
const NEVER_SHOWN = 'script,style,noscript,template,svg,iframe,object,canvas,datalist,link,meta,base';

self.onmessage = ({ data }: MessageEvent<{ html: string; baseUrl: string }>) => {
  try {
    const html = new HTMLRewriter()
      .on(NEVER_SHOWN, { element: (element) => void element.remove() })
      .transform(data.html);
    const isCut = html.length > MAX_HTML_CHARACTERS;
    const markdown = converter(data.baseUrl).turndown(html.slice(0, MAX_HTML_CHARACTERS));
    self.postMessage({ markdown, isCut } satisfies MarkdownReply);
  } catch (error) {
    self.postMessage({ failure: String(error).slice(0, 200) } satisfies MarkdownReply);
  }
};

function converter(baseUrl: string): TurndownService {
  const service = new TurndownService({
    ...{ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-', emDelimiter: '*' },
  });
  // An address and the name of a page count; where an anchor leads nowhere, or holds a file, its text alone does.
  service.addRule('title', {
    filter: 'title',
    replacement: (content) => (content.trim() === '' ? '' : `Title: ${oneLine(content)}\n\n`),
  });
  service.addRule('links', {
    filter: (node) => node.nodeName === 'A' && node.hasAttribute('href'),
    replacement: (content, node) => reference(oneLine(content), attribute(node, 'href'), baseUrl),
  });
  service.addRule('images', {
    filter: 'img',
    replacement: (_, node) => {
      const shown = reference(oneLine(attribute(node, 'alt')), attribute(node, 'src'), baseUrl);
      return shown.startsWith('[') ? `!${shown}` : shown;
    },
  });
  service.addRule('cells', {
    filter: ['th', 'td'],
    replacement: (content) => ` ${oneLine(content).replaceAll('|', '\\|')} |`,
  });
  service.addRule('rows', {
    filter: 'tr',
    replacement: (content, node) => {
      const cells = [...node.childNodes].filter(({ nodeName }) => nodeName === 'TH' || nodeName === 'TD');
      const isHead = cells.length > 0 && cells.every(({ nodeName }) => nodeName === 'TH');
      return content.trim() === ''
        ? ''
        : `|${content}\n${isHead ? `|${' --- |'.repeat(cells.length)}\n` : ''}`;
    },
  });
  service.addRule('tables', { filter: 'table', replacement: (content) => `\n\n${content.trim()}\n\n` });
  service.addRule('tableParts', { filter: ['thead', 'tbody', 'tfoot'], replacement: (content) => content });
  return service;
}

function attribute(node: TurndownService.Node, name: string): string {
  return 'getAttribute' in node ? (node.getAttribute(name) ?? '') : '';
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function reference(text: string, address: string, baseUrl: string): string {
  const url = URL.parse(address, baseUrl);
  const leadsOn = url !== null && /^https?:$/.test(url.protocol) && !address.startsWith('#');
  return leadsOn && text !== ''
    ? `[${text}](${url.href.replaceAll('(', '%28').replaceAll(')', '%29')})`
    : text;
}
