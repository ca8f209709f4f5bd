#include "yaml/skim.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "base/utf8.h"
#include "sweep/yaml.h"

namespace sweep::yaml {
namespace {

using Type = Token::Type;

constexpr std::size_t none = std::string_view::npos;

struct Refused {};  // unwinds the skim after its one finding

// Where an open `[` or `{` stands in its entry.
enum class Entry : std::uint8_t { start, key, colon, done };

struct Flow {
  std::uint32_t token = 0;  // index of the opening token
  bool mapping = false;
  Entry entry = Entry::start;
};

bool is_blank(char c) { return c == ' ' || c == '\t'; }
bool is_break(char c) { return c == '\n' || c == '\r'; }
bool is_flow_indicator(char c) { return c == ',' || c == '[' || c == ']' || c == '{' || c == '}'; }

class Skimmer {
 public:
  Skimmer(const std::shared_ptr<const SourceFile>& file, Diagnostics& diagnostics)
      : file_(file), text_(file->text()), diagnostics_(diagnostics) {}

  std::vector<Token> run() {
    tokens_.reserve(text_.size() / 6 + 16);
    while (next_token_start()) scan_token();
    if (!flows_.empty()) refuse_unclosed(flows_.back(), text_.size());
    check_directive();
    check_entry();
    return std::move(tokens_);
  }

 private:
  // -- characters -----------------------------------------------------------------------------
  bool at_end() const { return at_ >= text_.size(); }
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  bool blank_or_end(std::size_t ahead) const {
    const char c = peek(ahead);
    return at_ + ahead >= text_.size() || is_blank(c) || is_break(c);
  }
  int column() const { return static_cast<int>(at_ - line_begin_); }
  bool document_mark() const {
    return column() == 0 && blank_or_end(3) &&
           (text_.substr(at_, 3) == "---" || text_.substr(at_, 3) == "...");
  }

  // -- findings -------------------------------------------------------------------------------
  [[noreturn]] void refuse(std::string rule, std::size_t begin, std::size_t end,
                           std::string message, std::string help = {},
                           std::vector<RelatedPlace> related = {}) {
    diagnostics_.add({.rule = std::move(rule),
                      .message = std::move(message),
                      .span = span(begin, end),
                      .help = std::move(help),
                      .path = {},
                      .related = std::move(related)});
    throw Refused{};
  }
  [[noreturn]] void syntax(std::size_t begin, std::size_t end, std::string message,
                           std::string help = {}, std::vector<RelatedPlace> related = {}) {
    refuse("yaml-syntax", begin, end, std::move(message), std::move(help), std::move(related));
  }
  SourceSpan span(std::size_t begin, std::size_t end) const {
    return {file_, {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)}};
  }
  RelatedPlace place(std::size_t at, std::string message) const {
    return {span(at, std::min(at + 1, text_.size())), std::move(message)};
  }
  [[noreturn]] void refuse_unclosed(const Flow& flow, std::size_t noticed) {
    const std::size_t open = tokens_[flow.token].begin;
    syntax(open, open + 1, fmt::format("'{}' is never closed", text_[open]),
           fmt::format("add the missing '{}'", flow.mapping ? '}' : ']'),
           {place(noticed, noticed >= text_.size() ? "the file ends here" : "noticed here")});
  }
  // Something does not fit into the innermost flow collection. Where the line stands no deeper
  // than the block around the collection, a forgotten bracket is the likelier cause.
  [[noreturn]] void refuse_in_flow(std::size_t begin, std::size_t end, std::string message,
                                   std::string help) {
    const Flow& flow = flows_.back();
    const std::size_t open = tokens_[flow.token].begin;
    if (open < line_begin_ && line_indent_ <= indent()) {
      refuse_unclosed(flow, line_begin_ + static_cast<std::size_t>(line_indent_));
    }
    syntax(begin, end, std::move(message), std::move(help),
           {place(open, fmt::format("inside this '{}'", text_[open]))});
  }

  // -- tokens ---------------------------------------------------------------------------------
  void push(Type type, std::size_t begin, std::size_t end) {
    tokens_.push_back(
        {type, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end), 0});
  }

  int indent() const { return indents_.empty() ? -1 : indents_.back(); }
  void open_block(int at_column, std::size_t at) {
    if (at_column <= indent()) return;
    indents_.push_back(at_column);
    if (indents_.size() > max_depth) refuse_depth(at);
  }
  [[noreturn]] void refuse_depth(std::size_t at) {
    refuse("yaml-limit", at, at + 1, fmt::format("nested deeper than {} levels", max_depth));
  }

  // Passes blanks, comments and line ends; false at the end of the text.
  bool next_token_start() {
    while (!at_end()) {
      const char c = peek();
      if (is_break(c)) {
        new_line();
      } else if (c == '#' && (at_ == 0 || is_blank(text_[at_ - 1]) || is_break(text_[at_ - 1]))) {
        while (!at_end() && !is_break(peek())) ++at_;
      } else if (is_blank(c)) {
        ++at_;
      } else {
        break;
      }
    }
    if (at_end()) return false;
    if (!line_has_token_) start_line();
    return true;
  }

  void new_line() {
    at_ += peek() == '\r' ? 2 : 1;
    line_begin_ = at_;
    line_has_token_ = false;
  }

  // The first token of a line is about to be scanned.
  void start_line() {
    line_has_token_ = true;
    line_indent_ = column();
    key_column_ = -1;
    value_on_line_ = false;
    if (!flows_.empty()) {
      if (document_mark()) refuse_unclosed(flows_.back(), at_);
      return;
    }
    const auto leading = text_.substr(line_begin_, at_ - line_begin_);
    if (const auto tab = leading.find('\t'); tab != std::string_view::npos) {
      syntax(line_begin_ + tab, line_begin_ + tab + 1, "a tab is used for indentation",
             "indent with spaces");
    }
    if (node_done_ && line_indent_ > indent() && !document_mark()) {
      syntax(at_, at_ + 1, "this line is indented deeper than what it could belong to",
             "indent it like its siblings");
    }
    check_entry();
    const bool dedents = indent() > line_indent_;
    while (indent() > line_indent_) indents_.pop_back();
    if (dedents && indent() != line_indent_ && !document_mark()) {
      syntax(at_, at_ + 1, "the indentation of this line matches no line above it",
             "indent it like its siblings");
    }
    node_done_ = false;
    properties_ = false;  // those of a line above belong to the whole collection that starts here
    entry_begin_ = none;
  }

  // What begins a line at the indentation of a mapping or a list must be an entry of it.
  void check_entry() {
    if (entry_begin_ == none || !node_done_) return;
    const auto end = std::min(text_.find_first_of("\r\n", entry_begin_), text_.size());
    syntax(entry_begin_, end,
           fmt::format("'{}' is neither 'key: value' nor '- item'",
                       printable(text_.substr(entry_begin_, end - entry_begin_), 40)),
           "add the missing ':' or '- ', or indent the line if it continues the text above");
  }

  void scan_token() {
    const std::size_t begin = at_;
    const char c = peek();
    if (flows_.empty() && column() == 0 && scan_document_line()) return;
    if (document_ended_) refuse_second_document(1);
    check_directive();
    if (c == '[' || c == '{') return open_flow(c);
    if (c == ']' || c == '}') return close_flow(c);
    if (c == ',' && !flows_.empty()) return scan_comma();
    if (c == '-' && blank_or_end(1)) return scan_dash();
    if (c == '?' && blank_or_end(1)) return scan_question();
    if (c == ':' && is_value_indicator()) return scan_value();
    if (c == '&' || c == '*') return scan_anchor(c == '&' ? Type::anchor : Type::alias);
    if (c == '!') return scan_tag();
    if ((c == '|' || c == '>') && flows_.empty()) return scan_block_scalar();
    if (c == '"') return scan_double_quoted();
    if (c == '\'') return scan_single_quoted();
    if (c == '#') syntax(begin, begin + 1, "a '#' starts a comment only behind a blank");
    if (c == '@' || c == '`' || c == '%' || c == ',' || c == '|' || c == '>') {
      syntax(begin, begin + 1, fmt::format("'{}' cannot start a plain value", c),
             "put the value in quotes");
    }
    scan_plain();
  }

  // Directives and document marks; true when the line was one.
  bool scan_document_line() {
    if (peek() == '%' && tokens_.empty() && !document_started_) {
      if (directive_ == none) directive_ = at_;
      while (!at_end() && !is_break(peek())) ++at_;
      return true;
    }
    if (!document_mark()) return false;
    const bool starts = peek() == '-';
    if (starts && (document_started_ || !tokens_.empty())) refuse_second_document(3);
    document_started_ = true;
    document_ended_ = !starts;
    indents_.clear();
    node_done_ = false;
    at_ += 3;
    return true;
  }

  void check_directive() {
    if (directive_ == none || document_started_) return;
    syntax(directive_, directive_ + 1, "a line that starts with '%' needs a line '---' below it",
           "remove the line, or add '---' before the content");
  }

  [[noreturn]] void refuse_second_document(std::size_t length) {
    syntax(at_, at_ + length, "a second document starts here", "a file holds one YAML document");
  }

  // A node begins at `begin`: checks that one may, and notes the column of a possible key.
  void begin_node(std::size_t begin) {
    if (flows_.empty()) {
      if (node_done_) {
        syntax(begin, begin + 1, "unexpected text after a complete value",
               "quote the whole value, or put it on a line of its own", unclosed_quote(begin));
      }
      if (key_column_ < 0) {
        key_column_ = static_cast<int>(begin - line_begin_);
        const bool first = tokens_.empty() || tokens_.back().begin < line_begin_;
        if (first && !indents_.empty() && key_column_ <= indent()) entry_begin_ = begin;
      }
      return;
    }
    Flow& flow = flows_.back();
    const bool expected = flow.entry == Entry::start || (flow.entry == Entry::colon);
    if (!expected) {
      refuse_in_flow(begin, begin + 1,
                     fmt::format("a ',' or '{}' is missing here", flow.mapping ? '}' : ']'),
                     "separate entries with commas");
    }
  }

  // When the value just ended is a quoted one over several lines, its quote is the likely cause.
  std::vector<RelatedPlace> unclosed_quote(std::size_t noticed) {
    if (tokens_.empty() || tokens_.back().type != Type::quoted) return {};
    const Token& token = tokens_.back();
    const auto quoted = text_.substr(token.begin, token.end - token.begin);
    if (quoted.find('\n') == std::string_view::npos) return {};
    syntax(token.begin, token.begin + 1, "this quote is not closed on its line", "close the quote",
           {place(noticed, "noticed here")});
  }

  // The node that begins at `begin` is complete. Anchors and tags before it belong to it.
  void end_node() {
    properties_ = false;
    if (flows_.empty()) {
      node_done_ = true;
      return;
    }
    Entry& entry = flows_.back().entry;
    entry = entry == Entry::start ? Entry::key : Entry::done;
  }

  void open_flow(char c) {
    begin_node(at_);
    if (flows_.size() + 1 > max_depth) refuse_depth(at_);
    properties_ = false;
    flows_.push_back({static_cast<std::uint32_t>(tokens_.size()), c == '{', Entry::start});
    push(Type::open, at_, at_ + 1);
    ++at_;
  }

  void close_flow(char c) {
    if (flows_.empty()) {
      syntax(at_, at_ + 1, fmt::format("'{}' closes nothing", c), "remove it, or quote the value");
    }
    const Flow flow = flows_.back();
    if (flow.mapping != (c == '}')) {
      // Where it closes the bracket around, the inner one was forgotten.
      const bool closes_outer =
          flows_.size() > 1 && flows_[flows_.size() - 2].mapping == (c == '}');
      if (closes_outer) refuse_unclosed(flow, at_);
      refuse_in_flow(at_, at_ + 1,
                     fmt::format("'{}' where '{}' is expected", c, flow.mapping ? '}' : ']'),
                     "close brackets in the order they were opened");
    }
    flows_.pop_back();
    tokens_[flow.token].match = static_cast<std::uint32_t>(tokens_.size());
    push(Type::close, at_, at_ + 1);
    tokens_.back().match = flow.token;
    ++at_;
    end_node();
  }

  void scan_comma() {
    Flow& flow = flows_.back();
    if (flow.entry == Entry::start && !properties_) {
      refuse_in_flow(at_, at_ + 1, "an empty entry: nothing stands before this ','",
                     "remove the ',' or write the missing value");
    }
    flow.entry = Entry::start;
    properties_ = false;
    push(Type::comma, at_, at_ + 1);
    ++at_;
  }

  void scan_dash() {
    if (!flows_.empty()) {
      refuse_in_flow(at_, at_ + 1, "'- ' cannot start a value inside brackets",
                     "use commas between values, or quote the '-'");
    }
    // An anchor or a tag on a line above belongs to the whole list.
    const bool properties_on_line = properties_ && tokens_.back().begin >= line_begin_;
    if (node_done_ || properties_on_line || value_on_line_) {
      syntax(at_, at_ + 1, "'- ' starts a list in the middle of a line",
             "put the list on lines of its own");
    }
    properties_ = false;
    open_block(column(), at_);
    key_column_ = -1;
    push(Type::dash, at_, at_ + 1);
    ++at_;
  }

  void scan_question() {
    if (flows_.empty()) open_block(column(), at_);
    key_column_ = -1;
    push(Type::question, at_, at_ + 1);
    ++at_;
  }

  bool is_value_indicator() const {
    if (blank_or_end(1)) return true;
    if (flows_.empty()) return false;
    // Directly behind a quoted key or a bracket the ':' needs no blank, as in JSON.
    const bool json_key =
        !tokens_.empty() && tokens_.back().end == at_ &&
        (tokens_.back().type == Type::quoted || tokens_.back().type == Type::close);
    return json_key || is_flow_indicator(peek(1));
  }

  void scan_value() {
    const bool explicit_key = explicit_key_waits();
    if (flows_.empty()) {
      if (!node_done_ && !explicit_key) {
        syntax(at_, at_ + 1, "a ':' without a key before it", "write the key, or quote the ':'");
      }
      if (node_done_ && key_begin_line_ != line_begin_ && !explicit_key) {
        unclosed_quote(at_);
        refuse_colon_in_lines();
      }
      if (value_on_line_) {
        unclosed_quote(at_);
        syntax(at_, at_ + 1, "a second ':' on one line", "quote the value that holds the ':'");
      }
      value_on_line_ = true;
      if (key_column_ >= 0) {
        open_block(key_column_, line_begin_ + static_cast<std::size_t>(key_column_));
      } else if (explicit_key) {
        open_block(column(), at_);
      }
    } else {
      Flow& flow = flows_.back();
      if (flow.entry == Entry::start && !properties_ && !explicit_key) {
        refuse_in_flow(at_, at_ + 1, "a ':' without a key before it",
                       "write the key, or quote the ':'");
      }
      const bool key_above = key_begin_line_ != line_begin_ && !flow.mapping;
      if (flow.entry == Entry::colon || flow.entry == Entry::done || key_above) {
        refuse_in_flow(at_, at_ + 1, "a second ':' in one entry",
                       "separate entries with commas, or quote the value");
      }
      flow.entry = Entry::colon;
    }
    node_done_ = false;
    if (flows_.empty()) entry_begin_ = none;
    properties_ = false;
    push(Type::value, at_, at_ + 1);
    ++at_;
  }

  // A ':' in a text over several lines: most often a line is not indented like its siblings, or
  // the first one lacks the blank behind its ':'.
  [[noreturn]] void refuse_colon_in_lines() {
    std::size_t first = tokens_.size() - 1;
    while (first > 0 && tokens_[first].type == Type::plain &&
           tokens_[first - 1].type == Type::plain) {
      --first;
    }
    const auto text = text_.substr(tokens_[first].begin, tokens_[first].end - tokens_[first].begin);
    const auto colon = text.find(':');
    const bool key_like = colon != std::string_view::npos && first > 0 &&
                          tokens_[first - 1].end <= line_start_of(tokens_[first].begin);
    syntax(at_, at_ + 1, "a ':' in a value that began on an earlier line",
           key_like ? fmt::format("put a blank behind the ':' of '{}'", printable(text, 40))
                    : "check the indentation of this line, or quote the value",
           {place(tokens_[first].begin, "the value begins here")});
  }
  std::size_t line_start_of(std::size_t at) const {
    const auto line_end = at == 0 ? none : text_.rfind('\n', at - 1);
    return line_end == none ? 0 : line_end + 1;
  }

  bool explicit_key_waits() const {
    std::size_t closed = 0;  // inside the collections that a key may be made of
    for (auto token = tokens_.rbegin(); token != tokens_.rend(); ++token) {
      if (token->type == Type::close) ++closed;
      if (closed > 0) {
        if (token->type == Type::open) --closed;
        continue;
      }
      if (token->type == Type::question) return true;
      if (token->type == Type::value || token->type == Type::dash || token->type == Type::comma ||
          token->type == Type::open) {
        return false;
      }
    }
    return false;
  }

  void scan_anchor(Type type) {
    begin_node(at_);
    if (type == Type::alias) key_begin_line_ = line_begin_;
    const std::size_t begin = at_++;
    while (!at_end() && !is_blank(peek()) && !is_break(peek()) && !is_flow_indicator(peek())) {
      if (peek() == ':' && blank_or_end(1)) {
        // Part of the name for some readers and the end of a key for others.
        syntax(at_, at_ + 1, "a ':' directly behind the name of an anchor or an alias",
               "put a blank before the ':'");
      }
      ++at_;
    }
    if (at_ == begin + 1) {
      syntax(begin, at_, fmt::format("'{}' without a name", text_[begin]),
             "quote the value, or name the anchor");
    }
    const auto name = text_.substr(begin + 1, at_ - begin - 1);
    if (type == Type::anchor) {
      anchors_.insert(name);
    } else if (properties_ && tokens_.back().begin >= line_begin_) {
      syntax(begin, at_, "an alias cannot have an anchor or a tag of its own", "remove it");
    } else if (!anchors_.contains(name)) {
      syntax(begin, at_, fmt::format("no anchor '&{}' stands above this alias", printable(name)),
             "quote the value if it is a text");
    }
    push(type, begin, at_);
    if (type == Type::alias) {
      end_node();
    } else {
      properties_ = true;
    }
  }

  void scan_tag() {
    begin_node(at_);
    const std::size_t begin = at_++;
    if (peek() == '<') {
      while (!at_end() && !is_break(peek()) && peek() != '>') ++at_;
      if (peek() != '>') syntax(begin, at_, "this tag is not closed by '>'");
      ++at_;
    } else {
      while (!at_end() && !is_blank(peek()) && !is_break(peek()) &&
             !(is_flow_indicator(peek()) && !flows_.empty())) {
        ++at_;
      }
    }
    push(Type::tag, begin, at_);
    properties_ = true;
  }

  // -- scalars --------------------------------------------------------------------------------
  void scan_plain() {
    begin_node(at_);
    key_begin_line_ = line_begin_;
    const int parent = indent();
    for (Type type = Type::plain;; type = Type::plain_more) {
      const std::size_t begin = at_;
      std::size_t end = at_;
      while (!at_end() && !is_break(peek())) {
        const char c = peek();
        if (c == ':' && ends_plain_at_colon()) break;
        if (!flows_.empty() && is_flow_indicator(c)) break;
        if (c == '#' && is_blank(text_[at_ - 1])) break;
        ++at_;
        if (!is_blank(c)) end = at_;
      }
      if (end > begin) push(type, begin, end);
      if (at_end() || !is_break(peek()) || !continue_plain(parent)) break;
    }
    end_node();
  }

  bool ends_plain_at_colon() const {
    return blank_or_end(1) || (!flows_.empty() && is_flow_indicator(peek(1)));
  }

  // At a line end inside a plain scalar: moves to its next line when it has one.
  bool continue_plain(int parent) {
    std::size_t at = at_;
    std::size_t line = line_begin_;
    while (at < text_.size() && (is_blank(text_[at]) || is_break(text_[at]))) {
      if (text_[at] == '\n') line = at + 1;
      ++at;
    }
    if (at >= text_.size() || text_[at] == '#') return false;
    const auto leading = text_.substr(line, at - line);
    const auto spaces = static_cast<int>(std::min(leading.find_first_not_of(' '), leading.size()));
    const std::size_t old_at = std::exchange(at_, at);
    const std::size_t old_line = std::exchange(line_begin_, line);
    const bool continues = !document_mark() && (!flows_.empty() || spaces > parent);
    if (continues) {
      line_indent_ = spaces;
      line_has_token_ = true;
      return true;
    }
    at_ = old_at;
    line_begin_ = old_line;
    return false;
  }

  // A line end inside a quoted scalar.
  void quoted_line_end(std::size_t open) {
    at_ += peek() == '\r' ? 2 : 1;
    line_begin_ = at_;
    const std::size_t rest = text_.find_first_not_of(' ', at_);
    line_indent_ = static_cast<int>(std::min(rest, text_.size()) - at_);
    if (document_mark()) refuse_quote(open);
  }

  [[noreturn]] void refuse_quote(std::size_t open) {
    syntax(open, open + 1, "this quote is never closed", "close the quote",
           {place(at_, at_end() ? "the file ends here" : "noticed here")});
  }

  void finish_quoted(std::size_t open) {
    ++at_;
    push(Type::quoted, open, at_);
    end_node();
  }

  void scan_single_quoted() {
    begin_node(at_);
    key_begin_line_ = line_begin_;
    const std::size_t open = at_++;
    while (true) {
      if (at_end()) refuse_quote(open);
      if (is_break(peek())) {
        quoted_line_end(open);
      } else if (peek() == '\'' && peek(1) == '\'') {
        at_ += 2;
      } else if (peek() == '\'') {
        return finish_quoted(open);
      } else {
        ++at_;
      }
    }
  }

  void scan_double_quoted() {
    begin_node(at_);
    key_begin_line_ = line_begin_;
    const std::size_t open = at_++;
    while (true) {
      if (at_end()) refuse_quote(open);
      if (is_break(peek())) {
        quoted_line_end(open);
      } else if (peek() == '\\') {
        scan_escape(open);
      } else if (peek() == '"') {
        return finish_quoted(open);
      } else {
        ++at_;
      }
    }
  }

  void scan_escape(std::size_t open) {
    const std::size_t begin = at_++;
    if (at_end()) refuse_quote(open);
    const char kind = peek();
    if (is_break(kind)) return quoted_line_end(open);
    ++at_;
    const std::size_t digits = kind == 'x' ? 2 : kind == 'u' ? 4 : kind == 'U' ? 8 : 0;
    if (kind == 'N' || kind == '_') {
      // yaml-cpp makes bytes of them that are not UTF-8.
      syntax(begin, at_, fmt::format("the escape '\\{}' is not supported", kind),
             kind == 'N' ? "write '\\u0085'" : "write '\\u00a0'");
    }
    if (digits == 0) {
      constexpr std::string_view known = "0abt\tnvfre \"/\\LP";
      if (known.find(kind) == std::string_view::npos) {
        const auto length = utf8::decode(text_, begin + 1).length;
        const auto shown = printable(text_.substr(begin + 1, length));
        syntax(begin, begin + 1 + length, fmt::format("unknown escape '\\{}'", shown),
               "write '\\\\' for a backslash, or use single quotes");
      }
      return;
    }
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < digits; ++i, ++at_) {
      const char c = peek();
      const int digit = c >= '0' && c <= '9'   ? c - '0'
                        : c >= 'a' && c <= 'f' ? c - 'a' + 10
                        : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                               : -1;
      if (digit < 0) {
        syntax(begin, at_, fmt::format("'\\{}' needs {} hexadecimal digits", kind, digits));
      }
      value = value * 16 + static_cast<std::uint32_t>(digit);
    }
    if (value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF)) {
      syntax(begin, at_,
             fmt::format("'{}' is no Unicode character", text_.substr(begin, at_ - begin)),
             "write the character itself or its \\U escape");
    }
  }

  void scan_block_scalar() {
    begin_node(at_);
    const std::size_t begin = at_++;
    int given = 0;
    while (!at_end() && !is_blank(peek()) && !is_break(peek())) {
      const char c = peek();
      if (c >= '1' && c <= '9' && given == 0) {
        given = c - '0';
      } else if (c != '+' && c != '-') {
        syntax(begin, at_ + 1,
               fmt::format("'{}' starts a block of text and takes only a digit, '+' "
                           "or '-' behind it",
                           text_[begin]),
               "quote the value if it is not a block of text");
      }
      ++at_;
    }
    while (!at_end() && is_blank(peek())) ++at_;
    if (!at_end() && !is_break(peek()) && peek() != '#') {
      syntax(at_, at_ + 1, "unexpected text behind a block of text's header",
             "start the text on the next line");
    }
    while (!at_end() && !is_break(peek())) ++at_;
    const int least = std::max(indent() + 1, 1);
    int content = given > 0 ? std::max(indent(), 0) + given : 0;  // 0: by the first line
    std::size_t end = at_;
    while (!at_end()) {
      std::size_t line = at_ + (peek() == '\r' ? 2 : 1);
      const std::size_t first = std::min(text_.find_first_not_of(' ', line), text_.size());
      const auto spaces = static_cast<int>(first - line);
      const bool empty = first >= text_.size() || is_break(text_[first]);
      if (!empty) {
        if (content == 0) content = std::max(spaces, least);
        if (spaces < content) break;
      }
      const std::size_t line_end = std::min(text_.find('\n', line), text_.size());
      at_ = line_end > line && text_[line_end - 1] == '\r' ? line_end - 1 : line_end;
      if (!empty) end = at_;
    }
    push(Type::block_scalar, begin, end);
    end_node();
  }

  std::shared_ptr<const SourceFile> file_;
  std::string_view text_;
  Diagnostics& diagnostics_;
  std::vector<Token> tokens_;
  std::vector<Flow> flows_;
  std::vector<int> indents_;
  std::unordered_set<std::string_view> anchors_;
  std::size_t at_ = 0;
  std::size_t line_begin_ = 0;
  std::size_t directive_ = none;    // the first line that starts with '%'
  std::size_t entry_begin_ = none;  // a node that must turn out to be a key
  std::size_t key_begin_line_ = 0;  // where the line of the last scalar's first character begins
  int line_indent_ = 0;
  int key_column_ = -1;  // column of the first node since the last indicator on this line
  bool line_has_token_ = false;
  bool node_done_ = false;      // in block context, a value is complete
  bool properties_ = false;     // an anchor or a tag waits for its node
  bool value_on_line_ = false;  // in block context, a `:` stands on this line
  bool document_started_ = false;
  bool document_ended_ = false;
};

}  // namespace

std::optional<std::vector<Token>> skim(const std::shared_ptr<const SourceFile>& file,
                                       Diagnostics& diagnostics) {
  try {
    return Skimmer(file, diagnostics).run();
  } catch (const Refused&) {
    return std::nullopt;
  }
}

}  // namespace sweep::yaml
