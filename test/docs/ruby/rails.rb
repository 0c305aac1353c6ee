# Renders the example whose file is named in an action of a controller, as Rails does.
begin
  require 'logger'	# Active Support before 7.1 forgets it
  require 'active_record'
  require 'action_controller'
  require 'rack/mock'
  require 'pg'
rescue LoadError => e
  puts "1..0 # SKIP #{e.message} (Debian: ruby-activerecord ruby-actionpack ruby-pg)"
  exit
end

ActiveRecord::Base.establish_connection(adapter: 'postgresql')

class Film < ActiveRecord::Base
end

class FilmsController < ActionController::API
  class_eval "def index\n#{File.read(ARGV[0])}\nend", 'doc/tools.md'
end

status, headers, body = FilmsController.action(:index).call(Rack::MockRequest.env_for('/films'))
text = +''
body.each { |part| text << part }
expected = Film.select(:id, :title).order(:id).to_json

puts '1..2'
{
  'the example of Rails renders JSON' => [[200, 'application/json'], [status, headers['Content-Type'].to_s[/^[^;]*/]]],
  'it is what Rails itself renders of these records' => [expected, text.force_encoding('UTF-8')]
}.each.with_index(1) do |(what, (wanted, found)), i|
  same = wanted == found
  puts "#{same ? 'ok' : 'not ok'} #{i} - #{what}"
  puts "# #{found.inspect}, not #{wanted.inspect}" unless same
  at_exit { exit 1 } unless same
end
