/*
 * Bodies as people paste, write and send them. The tests check that none of them changes unless a user changes it. Each is
 * stored once as HTML and once as Markdown.
 */

const word = (inner: string) => `<html xmlns:v="urn:schemas-microsoft-com:vml"
xmlns:o="urn:schemas-microsoft-com:office:office"
xmlns:w="urn:schemas-microsoft-com:office:word"
xmlns="http://www.w3.org/TR/REC-html40">
<head>
<meta http-equiv=Content-Type content="text/html; charset=utf-8">
<meta name=ProgId content=Word.Document>
<meta name=Generator content="Microsoft Word 15">
<!--[if gte mso 9]><xml>
 <o:OfficeDocumentSettings><o:AllowPNG/></o:OfficeDocumentSettings>
</xml><![endif]-->
<style>
<!--
 /* Font Definitions */
 @font-face {font-family:Calibri; panose-1:2 15 5 2 2 2 4 3 2 4;}
 p.MsoNormal, li.MsoNormal {margin:0cm; mso-pagination:widow-orphan; font-size:11.0pt;}
 @list l0:level1 {mso-level-number-format:bullet; mso-level-text:\uf0b7;}
-->
</style>
</head>
<body lang=EN-GB style='tab-interval:36.0pt;word-wrap:break-word'>
<!--StartFragment-->${inner}<!--EndFragment-->
</body>
</html>`;

const bullet = (level: number, text: string, kind = '') =>
  `<p class=MsoListParagraph${kind} style='margin-left:${level * 36}.0pt;text-indent:-18.0pt;mso-list:l0 level${level} lfo1'><![if !supportLists]><span style='font-family:Symbol;mso-fareast-font-family:Symbol'><span style='mso-list:Ignore'>${level === 1 ? '·' : 'o'}<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp;&nbsp;&nbsp; </span></span></span><![endif]>${text}<o:p></o:p></p>`;

const numbered = (level: number, sign: string, text: string) =>
  `<p class=MsoListParagraphCxSpMiddle style='margin-left:${level * 36}.0pt;text-indent:-18.0pt;mso-list:l1 level${level} lfo2'><![if !supportLists]><span style='mso-list:Ignore'>${sign}<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span><![endif]>${text}<o:p></o:p></p>`;

/** The HTML that Word puts on the clipboard for a joinery's page, with some of every kind of block. */
export const fromWord = word(`
<p class=MsoTitle>Price list<o:p></o:p></p>
<h1 style='mso-list:none'><a name="_Toc1"></a><span lang=EN-US style='mso-ansi-language:EN-US'>Tables <b>&amp;</b> chairs<o:p></o:p></span></h1>
<p class=MsoNormal style='margin-bottom:8.0pt'><span style='font-size:12.0pt;line-height:107%;font-family:"Times New Roman",serif;color:#1F3864'>Made of <b style='mso-bidi-font-weight:normal'>oak</b>,<span style='mso-spacerun:yes'>  </span><i>ash</i> and “<u>elm</u>”&nbsp;– see <a href="https://example.com/wood"><span style='color:#0563C1'>our wood</span></a> and <a href="file:///C:/Users/Jo/wood.docx">this file</a>, 3<sup>rd</sup> edition.<o:p></o:p></span></p>
<p class=MsoNormal><o:p>&nbsp;</o:p></p>
${bullet(1, 'Tables', 'CxSpFirst')}
${bullet(2, 'round', 'CxSpMiddle')}
${bullet(2, 'long <b>and</b> low', 'CxSpMiddle')}
${bullet(1, 'Chairs', 'CxSpLast')}
<p class=MsoNormal>In this order:<o:p></o:p></p>
${numbered(1, '3.', 'Measure')}
${numbered(2, 'a)', 'twice')}
${numbered(1, '4.', 'Cut')}
<table class=MsoTableGrid border=1 cellspacing=0 cellpadding=0 style='border-collapse:collapse;border:none;mso-border-alt:solid windowtext .5pt'>
 <tr style='mso-yfti-irow:0;mso-yfti-firstrow:yes'>
  <td width=301 valign=top style='width:225.4pt;border:solid windowtext 1.0pt'><p class=MsoNormal><b>What<o:p></o:p></b></p></td>
  <td width=301 valign=top style='width:225.4pt'><p class=MsoNormal><b>Price<o:p></o:p></b></p></td>
 </tr>
 <tr style='mso-yfti-irow:1;mso-yfti-lastrow:yes'>
  <td width=301 valign=top><p class=MsoNormal>Table<o:p></o:p></p></td>
  <td width=301 valign=top><p class=MsoNormal>900&nbsp;€<o:p></o:p></p></td>
 </tr>
</table>
<p class=MsoNormal><!--[if gte vml 1]><v:shape id="Picture_x0020_1" style='width:100pt'><v:imagedata src="file:///C:/Temp/clip_image001.png"/></v:shape><![endif]--><![if !vml]><img width=133 height=100 src="file:///C:/Temp/clip_image002.png" v:shapes="Picture_x0020_1"><![endif]><font color="#FF0000" face="Comic Sans MS">Ask us!</font></p>
<p class=MsoQuote>Measure twice.<o:p></o:p></p>
`);

const docsSpan = (text: string, more = '') =>
  `<span style="font-size:11pt;font-family:Arial,sans-serif;color:#000000;background-color:transparent;font-weight:400;font-style:normal;font-variant:normal;text-decoration:none;vertical-align:baseline;white-space:pre;white-space:pre-wrap;${more}">${text}</span>`;

const docsItem = (level: number, text: string) =>
  `<li dir="ltr" style="list-style-type:disc;font-size:11pt;font-family:Arial,sans-serif;color:#000000;white-space:pre" aria-level="${level}"><p dir="ltr" style="line-height:1.38;margin-top:0pt;margin-bottom:0pt;" role="presentation">${docsSpan(text)}</p></li>`;

/** The HTML that Google Docs puts on the clipboard for a similar page. */
export const fromDocs = `<meta charset='utf-8'><meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-5b2f0c7e-7fff-1a2b-3c4d-5e6f70819203"><h2 dir="ltr" style="line-height:1.38;margin-top:18pt;margin-bottom:6pt;"><span style="font-size:16pt;font-family:Arial,sans-serif;font-weight:700;">Opening hours</span></h2><p dir="ltr" style="line-height:1.38;margin-top:0pt;margin-bottom:0pt;">${docsSpan('We open at ')}${docsSpan('eight', 'font-weight:700')}${docsSpan(', and ', '')}${docsSpan('never', 'font-style:italic')}${docsSpan(' close ', '')}${docsSpan('early', 'text-decoration:line-through')}${docsSpan('. H', '')}${docsSpan('2', 'font-size:0.6em;vertical-align:sub')}${docsSpan('O is free. ', '')}<a href="https://www.google.com/url?q=https://example.com/map?a%3D1&amp;sa=D&amp;source=editors" style="text-decoration:none;">${docsSpan('The way here', 'color:#1155cc;text-decoration:underline')}</a></p><br><ul style="margin-top:0;margin-bottom:0;padding-inline-start:48px;">${docsItem(1, 'Monday')}<ul style="margin-top:0;margin-bottom:0;">${docsItem(2, 'in the morning')}${docsItem(2, 'in the evening')}</ul>${docsItem(1, 'Tuesday')}</ul><ol style="margin-top:0"><li dir="ltr" aria-level="1"><p dir="ltr" role="presentation">${docsSpan('Ring')}</p></li><li dir="ltr" aria-level="1"><p dir="ltr" role="presentation">${docsSpan('Wait')}</p></li></ol><div dir="ltr" style="margin-left:0pt;" align="left"><table style="border:none;border-collapse:collapse;"><colgroup><col width="120"/><col width="300"/></colgroup><tbody><tr style="height:0pt"><td style="border-left:solid #000000 1pt;vertical-align:top;padding:5pt;overflow:hidden;"><p dir="ltr">${docsSpan('Day')}</p></td><td style="border-left:solid #000000 1pt;"><p dir="ltr">${docsSpan('Hours')}</p></td></tr></tbody></table></div><p dir="ltr"><span style="border:none;display:inline-block;overflow:hidden;width:20px;height:20px;"><img src="https://lh7-rt.googleusercontent.com/docsz/AD_4nXd" width="20" height="20" style="margin-left:0px;" /></span></p></b><br class="Apple-interchange-newline">`;

const family = '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}';

/** Bodies with a short description of each, for the messages of tests. */
export const bodies: readonly (readonly [what: string, body: string])[] = [
  ['nothing', ''],
  ['one space', ' '],
  ['white space', '   \n\t \r\n '],
  ['line ends alone', '\n\n\n'],
  ['lone CRs alone', '\r\r\r'],
  ['text alone', 'No element at all'],
  ['text with spaces around it', '  \t both sides \t  '],
  ['a last line end', 'One line\n'],
  ['no last line end, but spaces', 'One line  '],
  ['CRLF', 'One\r\n\r\nTwo\r\nThree\r\n'],
  ['lone CR', 'One\r\rTwo\rThree'],
  ['mixed line ends', 'One\nTwo\r\nThree\rFour\n\r\nFive\r\r\n\n'],
  ['mixed line ends in HTML', '<p>One</p>\r\n<p>Two</p>\n<ul>\r<li>x</li>\r\n</ul>\n\r'],
  ['one CRLF among LFs', `${'line\n'.repeat(20)}odd\r\n${'line\n'.repeat(20)}`],
  ['other line separators', 'One\u2028Two\u2029Three\u0085Four\vFive\fSix'],
  ['tabs', '\t\tIndented\twith\ttabs\n\t- and a list\n'],
  ['trailing spaces', 'A line   \nwith breaks  \nand none \n'],
  ['a byte order mark', '\ufeff<p>Marked</p>'],
  ['byte order marks inside', 'One\ufeffTwo\n\ufeffThree'],
  ['smart quotes and dashes', '<p>“Don’t” — ‘ever’ – she said… «oui» „nein“</p>'],
  ['no-break spaces', '<p>10&nbsp;km, 10\u00a0km, 10\u202fkm,&#160;&#xA0;&#x202F;</p>'],
  ['zero-width characters', 'zero\u200bwidth\u200c \u200djoin\u2060er\u00ad soft'],
  ['emoji', `<p>${family} 🏳️‍🌈 👍🏽 🇩🇪 1️⃣ ☺︎ ☺️</p>`],
  ['combining marks', 'Cafe\u0301 café a\u0308\u0323 Z\u0351\u036b\u0343\u036a\u0302\u036b'],
  ['not in normal form', '\u212b \u00c5 A\u030a \ufb01 \u1e9b\u0323'],
  ['right to left', '<p dir="rtl">שלום עולם, مرحبا بالعالم 123 (abc)</p>'],
  ['marks of direction', 'a\u202eb\u202cc \u2066d\u2069 e\u200ef\u200f'],
  ['Chinese and Japanese', '<p>你好，世界。「こんにちは」 　全角</p>\n'],
  ['planes above', '𝕳𝖊𝖑𝖑𝖔 𠮷野家 \u{10ffff}'],
  ['characters that no document may have', 'bell\u0007 back\b escape\u001b delete\u007f \ufffe\uffff \ufdd0'],
  ['replacement characters', 'broken \ufffd text'],
  ['two paragraphs', '<p>One</p><p>Two</p>'],
  ['upper case', '<P>Upper <B>case</B><BR>and <A HREF="/x">a link</A></P>\n<UL><LI>X</UL>'],
  ['quotes of all kinds', `<p class=x id='y' title="a 'b'" lang = "en">z</p>`],
  ['unclosed elements', '<p>Unclosed <em>marks <strong>overlap</em> here</strong>'],
  ['items without ends', '<ul>\n  <li>One\n  <li>Two <ol><li>Inner</ol>\n</ul>\n'],
  ['ends without beginnings', '</p></div>Text</b></span>'],
  ['wrongly nested', '<b><p>One</b></p><table><p>out</p><tr><td>in</table>'],
  ['a list in a list', '<ul><li>A</li><ul><li>B</li></ul><li>C</li></ul>'],
  ['comments', '<!-- one --><p>Text<!--two--></p><!---> odd <!--->'],
  ['entities', '<p>&amp;amp; &#8211; — &notanentity; &copy &#x1F600; &lt;b&gt; & &</p>'],
  ['entities in attributes', '<a href="/?a=1&b=2&amp;c=3&quot;">x</a>'],
  ['CDATA and processing instructions', '<![CDATA[ x ]]><?php echo "hi"; ?><p>y</p>'],
  ['self-closed elements', '<br/><hr /><img src="/a.png"/><p/>text<div/>'],
  ['attributes that are kept', '<h2 class="x" id="y">Head</h2>\r\n<p style="color:red">Red</p>\r\n'],
  ['attributes of no use', '<p data-x="1" onclick="x()" aria-label="y" foo>z</p>'],
  ['nested divs', '<div><div>Nested <span lang="fr">deep</span></div></div>'],
  ['a table', '<table border="1"><thead><tr><th>A</th></tr></thead><tbody><tr><td>1</td></tr></tbody></table>'],
  [
    'a table with a head',
    "<table>\n<thead><tr><th scope='col'>A</th><th></th></tr></thead>\n<tbody>\n<tr><td>1</td><td>2</td></tr></tbody></table>",
  ],
  ['tasks', '<ul>\n<li><input type=checkbox checked> a</li>\n<li><input type="checkbox" disabled>b</li></ul>'],
  [
    'footnotes',
    '<p>One<sup class="footnote-ref"><a id="c-fnref1" href="#c-fn1">[1]</a></sup></p>\n<hr class="footnotes-sep">\n<div class="footnotes">\n<ol class="footnotes-list">\n<li id="c-fn1" class="footnote-item"><p>Two <a class="footnote-backref" href="#c-fnref1">↩︎</a></p></li>\n</ol>\n</div>\n',
  ],
  [
    'footnotes with more to them',
    '<p>One<sup class="footnote-ref x"><a href="#n">1</a> <b>2</b></sup></p><section class="footnotes"><p>x</p></section>',
  ],
  ['a table with spans', '<table><tr><td colspan=2 rowspan="1">x</td></tr><caption>late</caption></table>'],
  ['a table in a table', '<table><tr><td><table><tr><td>x</td></tr></table></td></tr></table>'],
  ['a table without a word', '<table><tbody><tr><td></td><td></td></tr></tbody></table>'],
  ['an image', '<p><img src="/a.jpg" alt="A &quot;B&quot;" width="10" height=20 loading="lazy"></p>'],
  ['a figure', '<figure><img src=a.png><figcaption>Below</figcaption></figure>'],
  ['a frame', '<iframe src="https://www.youtube-nocookie.com/embed/x" title="Film"></iframe>'],
  [
    'a frame as the editors write it',
    '<iframe title="Film" src="https://www.youtube-nocookie.com/embed/x" width="560" height="315" allowfullscreen="" loading="lazy"></iframe>\n',
  ],
  ['a frame of somebody', '<iframe src="//example.com/x" srcdoc="<p>in</p>"></iframe>'],
  ['a drawing', '<svg viewBox="0 0 1 1"><path d="M0 0h1v1z"/><foreignObject><p>x</p></foreignObject></svg>'],
  ['a formula', '<math><mi>x</mi><mo>&InvisibleTimes;</mo><mi>y</mi></math>'],
  ['a script', '<script>if (a < b && c > d) alert("</p>")</script><p onclick="x()">y</p>'],
  ['a style', '<style>p > b { color: red }</style><p><b>x</b></p>'],
  ['a form', '<form action="/x"><input name=a value="b"><select><option selected>c</select></form>'],
  ['video and sound', '<video controls><source src="a.mp4" type="video/mp4">none</video><audio src=b.mp3></audio>'],
  ['preformatted text', '<pre>\n\n  keep   this \n\t</pre>'],
  ['preformatted code', '<pre><code class="language-js">a  &lt;  b\n\n</code></pre>'],
  ['a text area', '<textarea>\n<b>not bold</b></textarea>'],
  ['ruby', '<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>'],
  ['details', '<details open><summary>More</summary><p>Less</p></details>'],
  ['definitions', '<dl><dt>A<dd>B<dt>C<dd>D</dl>'],
  [
    'a whole document',
    '<!DOCTYPE html>\n<html><head><title>T</title></head><body bgcolor=red><p>x</p></body></html>\n',
  ],
  ['custom elements', '<my-card slot="x"><template><p>y</p></template></my-card>'],
  ['what only looks like a tag', 'a < b > c <3 <- <> < p> <1> a<b'],
  ['very long lines', `<p>${'word '.repeat(6000)}</p>`],
  ['a very long word', 'x'.repeat(20_000)],
  ['very many lines', 'line\r\n'.repeat(3000)],
  ['deep nesting', `${'<div>'.repeat(80)}x${'</div>'.repeat(80)}`],
  [
    'Markdown of all kinds',
    '# A\n\nB\n===\n* x\n- y\n+ z\n\n1) a\n2. b\n\n| a | b |\n|---|:-:|\n| 1 | 2 |\n\n~~s~~ [^1]\n\n[^1]: n\n',
  ],
  ['Markdown with odd spaces', '-   a\n\n    b\n-\tc\n \t\n***\n__\\__ \\\nx'],
  ['fences that do not end', '```js\nlet a = `b`;\n~~~\n'],
  ['an indented beginning', '    code\n\ttabs\n'],
  ['front matter', '---\ntitle: x\n---\n\ntext\n'],
  ['a Word paragraph', '<p class="MsoNormal"><o:p>&nbsp;</o:p></p><!--[if gte mso 9]><xml></xml><![endif]-->'],
  ['all of Word', fromWord],
  ['all of Word with CRLF', fromWord.replaceAll('\n', '\r\n')],
  ['all of Google Docs', fromDocs],
  ['a list of Word', bullet(1, 'One') + bullet(2, 'Two') + numbered(1, '1.', 'Three')],
  ['Outlook', '<div class=WordSection1><p class=MsoPlainText>Hi,<o:p></o:p></p><p class=MsoPlainText>&nbsp;</p></div>'],
  [
    'LibreOffice',
    '<p style="margin-bottom: 0cm; line-height: 100%"><font face="Liberation Serif, serif"><font size="3" style="font-size: 12pt">Text</font></font></p>\n',
  ],
  [
    'Apple Pages',
    '<p class="p1"><span class="s1">One</span><span class="Apple-converted-space">&nbsp; </span></p>\n<p class="p2"><br></p>',
  ],
  ['a mail', '<div dir="ltr">Hi<div><br></div><blockquote type="cite">On Monday</blockquote></div>'],
  [
    'WordPress',
    '<!-- wp:paragraph {"align":"center"} -->\n<p class="has-text-align-center">x</p>\n<!-- /wp:paragraph -->\n[gallery ids="1,2"]',
  ],
  ['placeholders', '{{ name }} {% if x %} <%= y %> $z [[wiki]] :smile:'],
  [
    'an own image',
    '<p><img src="/media/0123456789abcdef0123456789abcdef-300x200.webp" alt="A" width="300" height="200"></p>',
  ],
  ['an own image in a line', '<p>Text <img src="/media/0123456789abcdef0123456789abcdef-300x200.webp"> around</p>'],
];
