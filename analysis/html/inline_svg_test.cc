#include "analysis/html/inline_svg.h"

#include <gtest/gtest.h>

namespace lab::analysis::html {
namespace {

// The shape of a file by gnuplot's svg terminal.
std::string svg_file(const std::string& body) {
  return "<?xml version=\"1.0\" encoding=\"utf-8\"  standalone=\"no\"?>\n<svg \n"
         " viewBox=\"0 0 800 400\"\n xmlns=\"http://www.w3.org/2000/svg\"\n"
         " xmlns:xlink=\"http://www.w3.org/1999/xlink\"\n>\n<title>Gnuplot</title>\n"
         "<desc>Produced by GNUPLOT</desc>\n" +
         body + "\n</svg>\n";
}

TEST(InlineSvg, KeepsTheDrawingAndRenamesItsIds) {
  auto svg = inline_svg(svg_file("<defs><path id='gpPt0' d='M-1,0 h2'/></defs>"
                                 "<g filter=\"url(#textbox)\"><use xlink:href='#gpPt0' x='3'/>"
                                 "<text xml:space=\"preserve\">a&lt;b &amp; c</text></g>"),
                        "plot2-", "plot-2");
  ASSERT_TRUE(svg);
  EXPECT_TRUE(svg->starts_with("<svg viewBox=\"0 0 800 400\"")) << *svg;
  for (const char* part :
       {"id=\"plot2-gpPt0\"", "xlink:href=\"#plot2-gpPt0\"", "filter=\"url(#plot2-textbox)\"",
        "a&lt;b &amp; c", " width=\"800\" height=\"400\"", "role=\"img\"",
        "aria-labelledby=\"plot-2\""})
    EXPECT_NE(svg->find(part), std::string::npos) << part << " in " << *svg;
  EXPECT_EQ(svg->find("Gnuplot"), std::string::npos);
}

TEST(InlineSvg, LeavesASizeThatIsGiven) {
  auto svg = inline_svg("<svg width=\"10\" height=\"5\" viewBox=\"0 0 20 10\"/>", "p", "t");
  ASSERT_TRUE(svg);
  EXPECT_EQ(svg->find("width=\"20\""), std::string::npos);
}

TEST(InlineSvg, RefusesWhatCouldRunOrLoad) {
  ASSERT_TRUE(inline_svg(svg_file("<g/>"), "p", "t"));
  for (const char* body :
       {"<script>alert(1)</script>", "<g><script/></g>", "<foreignObject><p>x</p></foreignObject>",
        "<image xlink:href='http://x/y.png'/>", "<a xlink:href='http://x'><path/></a>",
        "<style>@import 'http://x'</style>", "<g onclick='alert(1)'/>",
        "<use xlink:href='http://x/y.svg#z'/>", "<use href='data:image/svg+xml,x'/>",
        "<rect fill='url(http://x/y)'/>", "<g style='background:url(http://x)'/>",
        "<animate attributeName='href'/>", "<SCRIPT/>"})
    EXPECT_FALSE(inline_svg(svg_file(body), "p", "t")) << body;
}

TEST(InlineSvg, RefusesWhatIsNoSvg) {
  for (const char* text : {"", "plot", "<html/>", "<svg><g></svg>", "<svg", "\xff\xfe"})
    EXPECT_FALSE(inline_svg(text, "p", "t")) << text;
}

}  // namespace
}  // namespace lab::analysis::html
